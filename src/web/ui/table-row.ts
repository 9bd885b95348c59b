import { cx } from '#web/lib/class-names.ts'

/**
 * Classes for a table whose rows are grids, because virtual lists have no <table>. Set the ARIA roles of table, row and cell, and the same
 * `grid-cols-[…]` on head and rows. `rowExtra` is for actions and checkboxes of a row, which are visible under the pointer, on focus and
 * on touch screens.
 */
export const tableHead =
  'grid h-9 items-center gap-x-4 border-b border-line px-3 text-xs font-medium text-ink3 max-sm:hidden'

/** A row of 44 px. */
export function tableRow(selected = false): string {
  return cx(
    'group/row grid h-11 items-center gap-x-4 border-b border-line px-3 text-sm outline-offset-[-2px] transition-[background-color] duration-[80ms]',
    selected ? 'bg-accent-soft' : 'hover:bg-hover',
  )
}

export const rowExtra =
  'opacity-0 group-hover/row:opacity-100 group-focus-within/row:opacity-100 has-checked:opacity-100 pointer-coarse:opacity-100'
