import { lazy, Suspense, useRef, useState } from 'react'
import { cx } from '#web/lib/class-names.ts'
import { Button } from '#web/ui/button.tsx'
import { FilterIcon } from '#web/ui/icons.tsx'
import type { FilterProps } from './list-filters.ts'

const FilterPanel = lazy(async () => ({ default: (await import('./filter-panel.tsx')).FilterPanel }))

/** Opens the facets of a list. `compact`: without its word where there is little room. */
export function FilterButton({ compact = false, ...props }: FilterProps & { compact?: boolean }) {
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
        icon={<FilterIcon />}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={count > 0 ? `Filter: ${count} set` : 'Filter'}
        onClick={() => setOpen(!open)}
        className={cx('max-sm:px-3', count > 0 && 'bg-accent-soft text-accent-text ring-accent')}
      >
        <span className={cx('max-sm:sr-only', compact && '@max-4xl:sr-only')}>Filter</span>
      </Button>
      <Suspense>{open && <FilterPanel {...props} anchor={frame} onClose={close} />}</Suspense>
    </span>
  )
}
