import type { BoardColumn, DealCard } from '#web/data/deals.ts'

/** The actions of a board that cards and columns can call. The object never changes, so it causes no rendering. */
export interface BoardActions {
  /** Opens the deal's panel. */
  open(card: DealCard): void
  /**
   * Selects or deselects the card. `range`: also selects all cards between this card and the card selected last, if both are in the same column.
   */
  select(card: DealCard, range: boolean): void
  /** Opens 'Move to' as a sheet, on the phone. */
  openSheet(card: DealCard): void
  /**
   * Moves the focus from this card to the card that `key` leads to. With Shift, the left and right arrows move the card itself by one
   * stage, and the card keeps the focus; the other keys do nothing with Shift.
   */
  walk(card: DealCard, key: FocusKey, shift: boolean): void
  /** Moves the focus from the head of a column: down and Home to its first card, End to its last, left and right to a neighbouring column. */
  focusFromHead(stageId: string, key: FocusKey): void
  /**
   * Creates a deal in this stage and opens the name field on its card. Called by the plus button of a column. Does nothing while the
   * stage's previous deal is being created.
   */
  quickAdd(column: BoardColumn): Promise<void>
  /** Ends the editing of the name on this card. */
  endNaming(dealId: string): void
  /** Registers the list of a mounted column; null when it is unmounted. */
  registerList(stageId: string, list: ColumnListHandle | null): void
}

const focusKeys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'] as const
export type FocusKey = (typeof focusKeys)[number]

/** Returns the focus key that was pressed, with or without Shift; undefined for another key, and together with Ctrl, Alt or Meta. */
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
