import type { Outcome } from './outcome.ts'
import type { Choices, Money } from './record-list.ts'
import type { Deal, DealStage } from './rows.ts'

/** A deal with the names of its related records, joined locally: a renamed contact is right everywhere. Same object while nothing changed. */
export interface DealCard {
  deal: Deal
  contactName: string | null
  companyName: string | null
  /** Has changes that the server has not confirmed yet. */
  waiting: boolean
}

/** One column of the board. The object stays the same while nothing in it changed. */
export interface BoardColumn {
  stage: DealStage
  /** All deals of the stage (of the search, while searching), also those not on this device. */
  count: number
  /** Sums by currency, pounds first; empty when there is no deal. */
  totals: readonly Money[]
  /** Newest first, then id. Undefined: not here yet, show a placeholder of a card's height. */
  at(index: number): DealCard | undefined
  /** The place of a deal in this column, or -1. */
  indexOf(dealId: string): number
}

export interface Board {
  ready: boolean
  columns: readonly BoardColumn[]
  /** Sums of the deals whose stage is neither won nor lost. */
  pipeline: readonly Money[]
}

/** The board of the active brand. `search` filters on deal, contact and company name without regard to case; '' shows all. */
export function useBoard(_search: string): Board {
  return { ready: false, columns: [], pipeline: [] }
}

/** One deal by id; null when it is not here. */
export function useDeal(_id: string | null): { ready: boolean; card: DealCard | null } {
  return { ready: false, card: null }
}

/** Open deals that close next, soonest first (the overview). */
export function useClosingNext(_limit: number): { ready: boolean; cards: readonly DealCard[] } {
  return { ready: false, cards: [] }
}

/** Deals for a combobox, by name; `text` filters, at most 50 come. */
export function useDealChoices(_text: string): Choices {
  return { ready: false, choices: [] }
}

export interface NewDeal {
  name: string
  stage_id: string
  amount: number
  /** Default GBP. */
  amount_currency?: string
  expected_close_date: string | null
  contact_id: string | null
  company_id: string | null
}

/** Failure: 'Error creating deal' with the message; success 'Deal created' (spec section 8). */
export function createDeal(_deal: NewDeal): Promise<Outcome> {
  return Promise.resolve({ status: 'refused', message: '', code: null })
}

/** The plus of a column: a deal called 'New Deal - {stage name}' (spec section 7). */
export function quickCreateDeal(_stage: { id: string; name: string }): Promise<Outcome> {
  return Promise.resolve({ status: 'refused', message: '', code: null })
}

/** Moves a deal: the board shows it before this returns. Refused: the card is already back; 'Error moving deal', then `reloadBoard()`. */
export function moveDeal(_id: string, _stageId: string): Promise<Outcome> {
  return Promise.resolve({ status: 'refused', message: '', code: null })
}

/** Asks the server for what changed, now. Resolves when it is here or when no answer came. */
export function reloadBoard(): Promise<void> {
  return Promise.resolve()
}
