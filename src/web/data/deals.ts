import { type Board, boardView } from './board-view.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import { firstByName } from '#web/lib/names.ts'
import { brought } from '#web/data/query/brought.ts'
import { choiceLimit, choiceView, type SearchedChoices, useChoiceSearch } from '#web/data/query/choice-view.ts'
import { cardOf, type DealCard, dealMatches } from './deal-cards.ts'
import { newRow } from '#web/data/changes/correction.ts'
import { isOpenStage } from './deal-stages.ts'
import { useBoardSearch } from './board-search.ts'
import { listKey, type ListOptions, readListKey } from '#web/data/query/list-options.ts'
import { myId } from '#web/data/store/my-id.ts'
import { newId } from '#web/lib/new-id.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { callForRow, insert } from '#web/data/changes/mutate.ts'
import { requestPull } from '#web/data/sync/pull-schedule.ts'
import type { Choices } from '#web/data/query/record-list.ts'
import type { Editable } from '#web/data/store/record-tables.ts'
import { readPage } from '#web/data/server/rest-page.ts'
import type { Deal } from '#web/data/server/rows.ts'
import { fold } from '#web/data/query/search-text.ts'
import { askBoard } from './server-figures.ts'
import { searchPage } from '#web/data/query/server-search.ts'
import { consequences, updateRecord } from '#web/data/changes/update-record.ts'
import { useView } from '#web/data/query/use-view.ts'
import { sourceOf, type View, view } from '#web/data/query/view.ts'

export type { Board, BoardColumn } from './board-view.ts'
export type { DealCard } from './deal-cards.ts'

/** So many deals that close next are known at most. */
const closingLimit = 50

const noBoard: Board = { ready: false, columns: [], pipeline: [] }
const noCard: { ready: boolean; card: DealCard | null } = { ready: false, card: null }
const noCards: { ready: boolean; cards: readonly DealCard[] } = { ready: false, cards: [] }

/**
 * The board of the active brand. `search` filters on deal, contact and company name without regard to case; '' shows all. Counts and
 * totals are of what is shown.
 */
export function useBoard(search: string, options: Pick<ListOptions, 'mine'> = {}): Board {
  useBoardSearch(search.trim(), options.mine ?? false)
  return useView(boardOfKey, listKey(search, options), noBoard)
}

function boardOfKey(data: BrandData, key: string): View<Board> {
  const { search, mine } = readListKey(key)
  return boardView(data, search, mine)
}

/** One deal by id; null when it is not here. */
export function useDeal(id: string | null): { ready: boolean; card: DealCard | null } {
  return useView(oneDeal, id ?? '', noCard)
}

/** Open deals that close next, soonest first (the overview); at most 50. */
export function useClosingNext(limit: number): { ready: boolean; cards: readonly DealCard[] } {
  const { ready, cards } = useView(closingNext, '', noCards)
  return { ready, cards: cards.slice(0, limit) }
}

/** Deals for a combobox, by name; what is typed filters, at most 50 come. */
export function useDealSearch(): SearchedChoices {
  return useChoiceSearch(dealChoices)
}

/** What the form gives; further fields of a deal as they are. Without a currency it is in GBP, without an owner whoever is signed in owns it. */
export type NewDeal = Pick<Deal, 'name' | 'stage_id' | 'amount'> & Partial<Editable<'deals'>>

/** Failure: 'Error creating deal' with the message; success 'Deal created' (spec section 8). `corrected`: as `newRow`. */
export function createDeal(deal: NewDeal, corrected?: string): Promise<Outcome> {
  const values = {
    ...deal,
    name: deal.name.trim(),
    amount_currency: deal.amount_currency ?? 'GBP',
    owner_id: deal.owner_id === undefined ? myId() : deal.owner_id,
  }
  const preview = { closed_at: null, ...consequences('deals', values) }
  const title = `New deal “${values.name}”`
  return insert({ table: 'deals', ...newRow(corrected), title, icon: 'deal', values, preview })
}

/** The plus of a column: a deal called 'New Deal - {stage name}' (spec section 7). */
export function quickCreateDeal(stage: { id: string; name: string }): Promise<Outcome> {
  const rowId = newId()
  const name = `New Deal - ${stage.name}`
  const args = { p_brand_id: openBrand.get()?.brandId, p_name: name, p_stage_id: stage.id, p_id: rowId }
  const amount = { amount: 0, amount_currency: 'GBP' }
  const preview = {
    name,
    stage_id: stage.id,
    ...amount,
    expected_close_date: null,
    contact_id: null,
    company_id: null,
    owner_id: myId(),
    closed_at: null,
    ...consequences('deals', { stage_id: stage.id }),
  }
  return callForRow({
    table: 'deals',
    rowId,
    title: `New deal “${name}”`,
    icon: 'deal',
    call: { name: 'quick_create_deal', args },
    preview,
  })
}

/** Moves a deal: the board shows it before this returns. Refused: the card is already back; 'Error moving deal', then `reloadBoard()`. */
export function moveDeal(id: string, stageId: string): Promise<Outcome> {
  const data = openBrand.get()
  const deal = data?.tables.deals.get(id)
  const stage = data?.tables.deal_stages.get(stageId)
  const title = `Move “${deal?.name ?? ''}” to ${stage?.name ?? ''}`
  return updateRecord('deals', id, { stage_id: stageId }, title)
}

/** The stage that a deal is in now, as it is known here. */
export function stageOfDeal(id: string): string | null {
  return openBrand.get()?.tables.deals.get(id)?.stage_id ?? null
}

/** Asks the server for what changed, now. Resolves when it is here or when no answer came. */
export async function reloadBoard(): Promise<void> {
  const data = openBrand.get()
  await Promise.all([requestPull(), data && askBoard(data)])
}

function oneDeal(data: BrandData, id: string): View<{ ready: boolean; card: DealCard | null }> {
  const { deals, contacts, companies } = data.tables
  return view([deals, contacts, companies, sourceOf(data.loaded)], () => {
    const deal = id ? deals.get(id) : undefined
    return { ready: data.loaded.get(), card: deal ? cardOf(data, deal) : null }
  })
}

/** The view behind `useClosingNext`: the next 50. */
export function closingNext(data: BrandData): View<{ ready: boolean; cards: readonly DealCard[] }> {
  const { deals, contacts, companies, deal_stages } = data.tables
  const sources = [deals, contacts, companies, deal_stages, sourceOf(data.loaded), sourceOf(data.answered)]
  const inner = view(sources, () => {
    const open: Deal[] = []
    for (const deal of deals.values()) {
      if (deal.expected_close_date && isOpenStage(deal_stages.get(deal.stage_id))) open.push(deal)
    }
    const ready = data.loaded.get() && (deals.size > 0 || data.answered.get())
    const next = firstByName(open, (deal) => `${deal.expected_close_date} ${deal.name}`, closingLimit)
    return { ready, cards: next.map((deal) => cardOf(data, deal)) }
  })
  return brought(inner, {
    data,
    table: 'deals',
    fetchSome: async (signal) => {
      const stage_id = [...deal_stages.values()].filter(isOpenStage).map(({ id }) => id)
      const order = ['expected_close_date', 'name', 'id'].map((column) => ({ column, ascending: true }))
      const query = { ...data, table: 'deals' as const, among: { stage_id }, order, offset: 0, limit: closingLimit }
      return { ...(await readPage({ ...query, signal })), named: [] }
    },
  })
}

function dealChoices(data: BrandData, search: string): View<Choices> {
  const text = fold(search)
  return choiceView({
    data,
    table: 'deals',
    matches: text ? (deal) => dealMatches(data, deal, text) : null,
    shows: [data.tables.contacts, data.tables.companies],
    choice: (deal) => ({ id: deal.id, label: deal.name, detail: cardOf(data, deal).companyName }),
    fetchSome: async (signal) => {
      if (search) return searchPage(data, 'deals', { text: search, offset: 0, limit: choiceLimit, signal })
      const order = [
        { column: 'name', ascending: true },
        { column: 'id', ascending: true },
      ]
      return {
        ...(await readPage({ ...data, table: 'deals', order, offset: 0, limit: choiceLimit, signal })),
        named: [],
      }
    },
  })
}
