import type { BoardColumn } from '#web/data/deals.ts'
import type { ColumnListHandle, FocusKey } from './board-actions.ts'

/** The index of a card's column, and its index in the column. */
export interface CardPosition {
  column: number
  index: number
}

/** Returns the position of a card; null if it is not on the board. */
export function findCard(columns: readonly BoardColumn[], dealId: string): CardPosition | null {
  for (const [column, candidate] of columns.entries()) {
    const index = candidate.indexOf(dealId)
    if (index >= 0) return { column, index }
  }
  return null
}

/**
 * Returns the position that a focus key moves to, or null. Up and down move within the column; left and right to the card at the same height
 * in the next column with cards; Home and End to the ends of the column. From a folded column, which has no list, left and right move to
 * the first visible card.
 */
export function neighbourOf(
  columns: readonly BoardColumn[],
  from: CardPosition,
  key: FocusKey,
  listOf: (stageId: string) => ColumnListHandle | null,
): CardPosition | null {
  const column = columns[from.column]
  if (!column) return null
  if (key === 'ArrowUp') return from.index > 0 ? { ...from, index: from.index - 1 } : null
  if (key === 'ArrowDown') return from.index < column.count - 1 ? { ...from, index: from.index + 1 } : null
  if (key === 'Home') return { ...from, index: 0 }
  if (key === 'End') return { ...from, index: column.count - 1 }
  const direction = key === 'ArrowLeft' ? -1 : 1
  for (
    let columnIndex = from.column + direction;
    columnIndex >= 0 && columnIndex < columns.length;
    columnIndex += direction
  ) {
    const candidate = columns[columnIndex]
    if (!candidate || candidate.count === 0) continue
    return { column: columnIndex, index: indexAtSameHeight(column, candidate, from.index, listOf) }
  }
  return null
}

function indexAtSameHeight(
  from: BoardColumn,
  to: BoardColumn,
  index: number,
  listOf: (stageId: string) => ColumnListHandle | null,
): number {
  const sourceList = listOf(from.stage.id)
  const targetList = listOf(to.stage.id)
  const height = sourceList ? sourceList.getItemOffset(index) - sourceList.scrollOffset : 0
  const targetIndex = targetList ? targetList.findItemIndex(targetList.scrollOffset + height) : index
  return Math.max(0, Math.min(targetIndex, to.count - 1))
}

/** Returns the stage before (-1) or after (1) this stage; null if there is none, or if this stage is not on the board. */
export function stageBeside<Stage extends { id: string }>(
  stages: readonly Stage[],
  stageId: string,
  direction: -1 | 1,
): Stage | null {
  const index = stages.findIndex((stage) => stage.id === stageId)
  return index < 0 ? null : (stages[index + direction] ?? null)
}
