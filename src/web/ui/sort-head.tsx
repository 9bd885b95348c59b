import { cx } from '#web/lib/class-names.ts'
import { SortedIcon } from './icons.tsx'

export interface SortHeadProps {
  label: string
  /** True if this column sorts the list in ascending order, 'descending' if in descending order, otherwise false. */
  sorted: boolean | 'descending'
  /**
   * Called at each press. The first press should sort by this column, the second one reverse the order (if the column has two directions),
   * and the next one restore the default order.
   */
  onSort: () => void
  /** The text of a tooltip, for a label that may be cut. */
  title?: string
  className?: string
}

/** The head of a column by which a table can be sorted. */
export function SortHead({ label, sorted, onSort, title, className }: SortHeadProps) {
  return (
    <div
      role="columnheader"
      aria-sort={sorted === 'descending' ? sorted : sorted ? 'ascending' : 'none'}
      className={cx('min-w-0', className)}
    >
      <button
        type="button"
        onClick={onSort}
        title={title}
        className={cx(
          'group/sort -mx-1.5 flex h-6 max-w-full items-center gap-1 rounded-badge px-1.5 hover:bg-hover hover:text-ink',
          sorted && 'text-ink',
        )}
      >
        <span className="min-w-0 truncate">{label}</span>
        <SortedIcon
          className={cx(
            'size-3.5 shrink-0',
            sorted === 'descending' && 'rotate-180',
            !sorted && 'opacity-0 group-hover/sort:opacity-60 group-focus-visible/sort:opacity-60',
          )}
        />
      </button>
    </div>
  )
}
