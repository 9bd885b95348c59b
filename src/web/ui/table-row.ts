import { cx } from '#web/lib/class-names.ts'

/**
 * The CSS classes of a table's head. The head and the rows are grids, because virtual lists have no <table>. Set the ARIA roles of table, row
 * and cell, and the same `grid-cols-[…]` on the head and the rows.
 */
export const tableHeadClasses =
  'grid h-9 items-center gap-x-4 border-b border-line px-3 text-xs font-medium text-ink3 max-sm:hidden'

/** Returns the CSS classes of a table's row, which is 44 px high. */
export function tableRowClasses(selected = false): string {
  return cx(
    'group/row grid h-11 items-center gap-x-4 border-b border-line px-3 text-sm outline-offset-[-2px] transition-[background-color] duration-[80ms]',
    selected ? 'bg-accent-soft' : 'hover:bg-hover',
  )
}

/** The CSS classes of actions and checkboxes in a row: they are visible under the pointer, on focus, while ticked, and on touch screens. */
export const rowExtraClasses =
  'opacity-0 group-hover/row:opacity-100 group-focus-within/row:opacity-100 has-checked:opacity-100 pointer-coarse:opacity-100'
