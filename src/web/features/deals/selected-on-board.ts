import type { BoardColumn } from '#web/data/deals.ts'

/** Returns the ids of the selected deals that have a card on the board, in the order of their selection. */
export function selectedOnBoard(
  selected: ReadonlySet<string>,
  columns: readonly Pick<BoardColumn, 'indexOf'>[],
): string[] {
  return [...selected].filter((id) => columns.some((column) => column.indexOf(id) >= 0))
}
