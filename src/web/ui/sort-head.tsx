import { cx } from '#web/lib/class-names.ts'
import { SortedIcon } from './icons.tsx'

export interface SortHeadProps {
  label: string
  sorted: boolean
  /** Sorts by this column; a second press restores the default order. */
  onSort: () => void
  className?: string
}

/** The head of a sortable column. */
export function SortHead({ label, sorted, onSort, className }: SortHeadProps) {
  return (
    <div role="columnheader" aria-sort={sorted ? 'ascending' : 'none'} className={cx('min-w-0', className)}>
      <button
        type="button"
        onClick={onSort}
        className={cx(
          'group/sort -mx-1.5 flex h-6 max-w-full items-center gap-1 rounded-badge px-1.5 hover:bg-hover hover:text-ink',
          sorted && 'text-ink',
        )}
      >
        {label}
        <SortedIcon
          className={cx(
            'size-3.5',
            !sorted && 'opacity-0 group-hover/sort:opacity-60 group-focus-visible/sort:opacity-60',
          )}
        />
      </button>
    </div>
  )
}
