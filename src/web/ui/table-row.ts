import { cx } from '#web/lib/class-names.ts'

/**
 * Classes of a table whose rows are grids (virtual lists have no <table>): give table, row and cell their ARIA roles, and head and rows the
 * same `grid-cols-[…]`. `rowExtra` is for row actions and checkboxes, which are visible under the pointer, on focus and on touch screens.
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
