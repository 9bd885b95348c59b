import type { BoardColumn, DealCard } from '#web/data/deals.ts'

/** What a card or a column can ask of its board. One stable object a board, so that no card renders again for it. */
export interface BoardActions {
  /** Moves one stage to the left or right and keeps the focus on the card. */
  step(card: DealCard, direction: -1 | 1): void
  /** Opens the deal's panel. */
  open(card: DealCard): void
  /** Chooses the card or not any more; `range`: also all between it and the one chosen last in its column. */
  select(card: DealCard, range: boolean): void
  /** Opens 'Move to' as a sheet, on the phone. */
  openSheet(card: DealCard): void
  /** Moves the focus from this card to its neighbour on the board. */
  focusNeighbour(card: DealCard, key: FocusKey): void
  /** The plus of a column. */
  quickAdd(column: BoardColumn): Promise<void>
  /** A column tells how its list is scrolled, `null` when it goes. */
  registerList(stageId: string, list: ColumnListHandle | null): void
}

export const focusKeys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'] as const
export type FocusKey = (typeof focusKeys)[number]

/** How the board scrolls a column and finds its way in it. Offsets are pixels from the top of the whole list. */
export interface ColumnListHandle {
  readonly scrollOffset: number
  getItemOffset(index: number): number
  findItemIndex(offset: number): number
  scrollToIndex(index: number, options: { align: 'nearest' | 'start' }): void
}
