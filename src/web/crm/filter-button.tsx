import { Suspense, useRef, useState } from 'react'
import { cx } from '#web/lib/class-names.ts'
import { Button } from '#web/ui/button.tsx'
import { FilterIcon } from '#web/ui/icons.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import type { FilterProps } from './list-filters.ts'

const FilterPanel = lazyComponent(async () => (await import('./filter-panel.tsx')).FilterPanel)

interface FilterButtonProps extends FilterProps {
  /** True if the button hides its text while its container is narrower than 56rem. */
  compact?: boolean
  /** True if the button is a text without icon and outline, above the list, beside 'Select'. */
  quiet?: boolean
}

/** The button that opens the facets of a list. */
export function FilterButton({ compact = false, quiet = false, ...props }: FilterButtonProps) {
  const [open, setOpen] = useState(false)
  const frame = useRef<HTMLSpanElement>(null)
  const count = Object.values(props.filters).flat().length
  const close = (restoreFocus: boolean) => {
    setOpen(false)
    if (restoreFocus) frame.current?.querySelector('button')?.focus({ preventScroll: true })
  }
  return (
    <span ref={frame} className="flex shrink-0">
      <Button
        variant={quiet ? 'quiet' : 'default'}
        icon={!quiet && <FilterIcon />}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={count > 0 ? `Filter: ${count} set` : 'Filter'}
        onClick={() => setOpen(!open)}
        data-set={count > 0 || undefined}
        className={
          quiet
            ? '-my-3 px-3! text-accent-text!'
            : 'max-sm:px-3 data-set:bg-accent-soft data-set:text-accent-text data-set:ring-accent'
        }
      >
        <span className={cx(!quiet && 'max-sm:sr-only', compact && '@max-4xl:sr-only')}>Filter</span>
      </Button>
      <Suspense>{open && <FilterPanel {...props} anchor={frame} onClose={close} />}</Suspense>
    </span>
  )
}
