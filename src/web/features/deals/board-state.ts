import type { Board, BoardColumn, DealCard } from '#web/data/deals.ts'
import type { RemoteMove } from '#web/data/remote-moves.ts'
import { type Arrivals, noArrivals, withMoves, withoutMoves } from './arrivals.ts'

/** The person's interaction with the board, and the latest moves of colleagues. The deals themselves are in the local database. */
export interface BoardState {
  /** The ids of the selected deals. */
  selected: ReadonlySet<string>
  /** The card that was selected or deselected last: a range starts there. */
  anchor: string | null
  /** The card whose 'Move to' sheet is open (phone). */
  sheet: DealCard | null
  /** The board as it was when a pointer went down on it. */
  pressed: Board | null
  carried: CarriedCard | null
  /** The id of the deal whose name is edited on its card. */
  naming: string | null
  /** The id of the stage of the card that was revealed last. Its column is not folded. */
  uncovered: string | null
  /** Cards that colleagues have just moved. */
  arrivals: Arrivals
}

export interface CarriedCard {
  card: DealCard
  /** The id of the stage that the card was lifted from. */
  from: string
  /** The board as it was when the card was lifted. */
  board: Board
  byKeyboard: boolean
}

export type BoardEvent =
  /** `isRange`: also selects the cards between this card and the anchor, if both are in one column. */
  | { type: 'card-selected'; dealId: string; isRange: boolean; columns: readonly BoardColumn[] }
  | { type: 'selection-cleared' }
  | { type: 'sheet-opened'; card: DealCard }
  | { type: 'sheet-closed' }
  | { type: 'pressed'; board: Board }
  | { type: 'released' }
  | { type: 'lifted'; carried: CarriedCard }
  | { type: 'dropped' }
  | { type: 'naming-started'; dealId: string }
  | { type: 'naming-ended'; dealId: string }
  | { type: 'stage-uncovered'; stageId: string | null }
  | { type: 'cards-arrived'; moves: readonly RemoteMove[] }
  | { type: 'arrivals-ended'; moves: readonly RemoteMove[] }

export const untouchedBoard: BoardState = {
  selected: new Set(),
  anchor: null,
  sheet: null,
  pressed: null,
  carried: null,
  naming: null,
  uncovered: null,
  arrivals: noArrivals,
}

/** Returns the state of the board after an event. */
export function boardReducer(state: BoardState, event: BoardEvent): BoardState {
  switch (event.type) {
    case 'card-selected':
      return { ...state, selected: selectedAfter(state, event), anchor: event.dealId }
    case 'selection-cleared':
      return state.selected.size === 0 ? state : { ...state, selected: new Set(), anchor: null }
    case 'sheet-opened':
      return { ...state, sheet: event.card }
    case 'sheet-closed':
      return { ...state, sheet: null }
    case 'pressed':
      return { ...state, pressed: event.board }
    case 'released':
      return { ...state, pressed: null }
    case 'lifted':
      return { ...state, carried: event.carried }
    case 'dropped':
      return { ...state, carried: null }
    case 'naming-started':
      return { ...state, naming: event.dealId }
    case 'naming-ended':
      return state.naming === event.dealId ? { ...state, naming: null } : state
    case 'stage-uncovered':
      return state.uncovered === event.stageId ? state : { ...state, uncovered: event.stageId }
    case 'cards-arrived':
      return { ...state, arrivals: withMoves(state.arrivals, event.moves) }
    case 'arrivals-ended':
      return { ...state, arrivals: withoutMoves(state.arrivals, event.moves) }
  }
}

/**
 * Returns the board to show while a card is pressed or carried, so that changes by colleagues move nothing under the pointer; otherwise
 * null.
 */
export function frozenBoard({ carried, pressed }: BoardState): Board | null {
  return carried?.board ?? pressed
}

interface CardSelectedEvent {
  dealId: string
  isRange: boolean
  columns: readonly BoardColumn[]
}

function selectedAfter({ selected, anchor }: BoardState, { dealId, isRange, columns }: CardSelectedEvent): Set<string> {
  const newSelection = new Set(selected)
  const column = columns.find((candidate) => candidate.indexOf(dealId) >= 0)
  const from = isRange && anchor !== null ? (column?.indexOf(anchor) ?? -1) : -1
  if (column && from >= 0) for (const id of idsBetween(column, from, column.indexOf(dealId))) newSelection.add(id)
  else if (!newSelection.delete(dealId)) newSelection.add(dealId)
  return newSelection
}

function idsBetween(column: BoardColumn, from: number, to: number): string[] {
  const ids: string[] = []
  for (let index = Math.min(from, to); index <= Math.max(from, to); index++) {
    const id = column.at(index)?.deal.id
    if (id) ids.push(id)
  }
  return ids
}
