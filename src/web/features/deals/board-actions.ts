import type { BoardColumn, DealCard } from '#web/data/deals.ts'

/** What a card or a column can ask of its board. One stable object per board, so that it causes no rendering. */
export interface BoardActions {
  /** Opens the deal's panel. */
  open(card: DealCard): void
  /** Selects or unselects the card; `range`: also selects all cards between it and the one that was selected last in its column. */
  select(card: DealCard, range: boolean): void
  /** Opens 'Move to' as a sheet, on the phone. */
  openSheet(card: DealCard): void
  /** Moves the focus from this card to its neighbour on the board; with Shift the card by one stage, and the focus stays on it. */
  walk(card: DealCard, key: FocusKey, shift: boolean): void
  /** Moves the focus from the head of a column to its first card, or to the column beside it. */
  focusFromHead(stageId: string, key: FocusKey): void
  /** Creates a deal in this stage, whose name is then edited on its card: the plus of a column. */
  quickAdd(column: BoardColumn): Promise<void>
  /** The name on this card is no longer edited. */
  endNaming(dealId: string): void
  /** Registers the list of a column that is drawn; `null` when it is removed. */
  registerList(stageId: string, list: ColumnListHandle | null): void
}

const focusKeys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'] as const
export type FocusKey = (typeof focusKeys)[number]

/** The focus key that was pressed, with or without Shift. */
export function focusKeyOf({ key, ctrlKey, altKey, metaKey }: PressedKey): FocusKey | undefined {
  return ctrlKey || altKey || metaKey ? undefined : focusKeys.find((candidate) => candidate === key)
}

type PressedKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey'>

/** The part of a virtual list that the board uses. Offsets are pixels from the top of the whole list. */
export interface ColumnListHandle {
  readonly scrollOffset: number
  getItemOffset(index: number): number
  findItemIndex(offset: number): number
  scrollToIndex(index: number, options: { align: 'nearest' | 'start' }): void
}
