import type { BoardColumn, DealCard } from '#web/data/deals.ts'

/** What a card or a column can ask of its board. One stable object per board, so that it causes no rendering. */
export interface BoardActions {
  /** Moves one stage to the left or right and keeps the focus on the card. */
  step(card: DealCard, direction: -1 | 1): void
  /** Opens the deal's panel. */
  open(card: DealCard): void
  /** Selects or unselects the card; `range`: also selects all cards between it and the one that was selected last in its column. */
  select(card: DealCard, range: boolean): void
  /** Opens 'Move to' as a sheet, on the phone. */
  openSheet(card: DealCard): void
  /** Moves the focus from this card to its neighbour on the board. */
  focusNeighbour(card: DealCard, key: FocusKey): void
  /** Moves the focus from the head of a column to its first card, or to the column beside it. */
  focusFromHead(stageId: string, key: FocusKey): void
  /** Creates a deal in this stage, whose name is then edited on its card: the plus of a column. */
  quickAdd(column: BoardColumn): Promise<void>
  /** The name on this card is no longer edited. */
  endNaming(dealId: string): void
  /** Registers the list of a column that is drawn; `null` when it is removed. */
  registerList(stageId: string, list: ColumnListHandle | null): void
}

export const focusKeys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'] as const
export type FocusKey = (typeof focusKeys)[number]

/** The part of a virtual list that the board uses. Offsets are pixels from the top of the whole list. */
export interface ColumnListHandle {
  readonly scrollOffset: number
  getItemOffset(index: number): number
  findItemIndex(offset: number): number
  scrollToIndex(index: number, options: { align: 'nearest' | 'start' }): void
}
