import type { Device } from '#web/data/browser/device.ts'
import { identityOfNewRow } from '#web/data/changes/correction.ts'
import { insertByRpc, insert } from '#web/data/changes/mutate.ts'
import { fieldsSetByDatabase, updateRecord } from '#web/data/changes/update-record.ts'
import { entriesOf, loadedEntries, listWithoutScroller } from '#web/data/query/entries-of.ts'
import { listKey, type ListOptions, readListKey } from '#web/data/query/list-options.ts'
import { useView } from '#web/data/query/use-view.ts'
import { sourceOfObservable, switchedView, type View, view, sourceOfView } from '#web/data/query/view.ts'
import type { Deal } from '#web/data/server/rows.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import type { TableDefinition } from '#web/data/store/definition.ts'
import { myId } from '#web/data/store/my-id.ts'
import type { Editable } from '#web/data/store/record-tables.ts'
import { byTexts, newestFirst } from '#web/data/store/sorted-list.ts'
import { requestPull } from '#web/data/sync/pull-schedule.ts'
import { compareNames } from '#web/lib/names.ts'
import { newId } from '#web/lib/new-id.ts'
import { type Board, boardView, noBoard } from './board-view.ts'
import { cardOf, type DealCard, dealMatches } from './deal-cards.ts'
import { openStageIds } from './deal-stages.ts'

export type { Board, BoardColumn } from './board-view.ts'
export type { DealCard } from './deal-cards.ts'

/** Maximum number of deals of `useClosingNext`. */
const closingLimit = 50

const noCard: { ready: boolean; card: DealCard | null } = { ready: false, card: null }
const noCards: { ready: boolean; cards: readonly DealCard[] } = { ready: false, cards: [] }

/**
 * Returns the board of the active brand. `search` finds deal, contact and company names, without regard to case; '' shows all deals. Counts
 * and totals are those of the shown deals. `where`: the board shows only open stages (of all pipelines if `pipeline` is not given), and
 * only their deals that meet these conditions. `filter`: the board shows all stages, and only deals that meet these conditions.
 */
export function useBoard(
  search: string,
  options: Pick<ListOptions, 'mine' | 'owner' | 'where' | 'filter' | 'pipeline'> = {},
): Board {
  return useView(boardOfKey, listKey(search, options), noBoard)
}

function boardOfKey(data: BrandData, key: string): View<Board> {
  const { search, mine, owner, where, filter, pipeline } = readListKey(key)
  return boardView(data, { search, owner: mine ? data.userId : owner, where, filter, pipeline })
}

/** Returns a deal by id. Null if it is not on this device. */
export function useDeal(id: string | null): { ready: boolean; card: DealCard | null } {
  return useView(dealView, id ?? '', noCard)
}

/**
 * Returns the open deals by expected close date, earliest first, for the overview: at most `limit`, and at most 50. Deals without a date are left
 * out.
 */
export function useClosingNext(limit: number): { ready: boolean; cards: readonly DealCard[] } {
  const { ready, cards } = useView(closingNext, '', noCards)
  return { ready, cards: cards.slice(0, limit) }
}

/** The values of a new deal. The default currency is GBP, and the default owner is the signed-in user. */
export type NewDeal = Pick<Deal, 'name' | 'stage_id' | 'amount'> & Partial<Editable<'deals'>>

/**
 * Creates a deal. The screen shows 'Error creating deal' with the message after a failure, and 'Deal created' after a success (spec section 8).
 * `givenId`: see `identityOfNewRow`.
 */
export function createDeal(device: Device, deal: NewDeal, givenId?: string): Promise<Outcome> {
  const values = {
    ...deal,
    name: deal.name.trim(),
    amount_currency: deal.amount_currency ?? 'GBP',
    owner_id: deal.owner_id === undefined ? myId(device) : deal.owner_id,
  }
  const preview = { closed_at: null, lost_reason: null, ...fieldsSetByDatabase(device, 'deals', values) }
  const title = `New deal “${values.name}”`
  return insert(device, { table: 'deals', ...identityOfNewRow(givenId), title, icon: 'deal', values, preview })
}

/** Creates a deal from the plus button of a column, with the name 'New Deal - {stage name}' (spec section 7). */
export function quickCreateDeal(
  device: Device,
  stage: { id: string; name: string },
  rowId: string = newId(),
): Promise<Outcome> {
  const name = `New Deal - ${stage.name}`
  const args = { p_brand_id: openBrand(device).get()?.brandId, p_name: name, p_stage_id: stage.id, p_id: rowId }
  const amount = { amount: 0, amount_currency: 'GBP' }
  const preview = {
    name,
    stage_id: stage.id,
    ...amount,
    expected_close_date: null,
    contact_id: null,
    company_id: null,
    owner_id: myId(device),
    closed_at: null,
    lost_reason: null,
    ...fieldsSetByDatabase(device, 'deals', { stage_id: stage.id }),
  }
  return insertByRpc(device, {
    table: 'deals',
    rowId,
    title: `New deal “${name}”`,
    icon: 'deal',
    call: { name: 'quick_create_deal', args },
    preview,
  })
}

/**
 * Moves a deal. The board shows the move before this function returns. If the promise resolves with a refusal, the card is already back in
 * its column: show 'Error moving deal', then call `reloadBoard()`.
 */
export function moveDeal(device: Device, id: string, stageId: string): Promise<Outcome> {
  const data = openBrand(device).get()
  const deal = data?.tables.deals.get(id)
  const stage = data?.tables.deal_stages.get(stageId)
  const title = `Move “${deal?.name ?? ''}” to ${stage?.name ?? ''}`
  return updateRecord(device, 'deals', id, { stage_id: stageId }, title)
}

/** Returns the id of a deal's present stage on this device. */
export function stageOfDeal(device: Device, id: string): string | null {
  return openBrand(device).get()?.tables.deals.get(id)?.stage_id ?? null
}

/** Marks server-backed lists of deals as stale, and fetches changes from the server. Resolves when the changes are stored, or when no answer came. */
export async function reloadBoard(device: Device): Promise<void> {
  openBrand(device).get()?.invalidate('deals')
  await requestPull(device)
}

function dealView(data: BrandData, id: string): View<{ ready: boolean; card: DealCard | null }> {
  const { deals, contacts, companies, memberships } = data.tables
  return view([deals, contacts, companies, memberships, sourceOfObservable(data.loaded)], () => {
    const deal = id ? deals.get(id) : undefined
    return { ready: data.loaded.get(), card: deal ? cardOf(data, deal) : null }
  })
}

/** Creates the view that `useClosingNext` reads, with at most 50 deals. */
export function closingNext(data: BrandData): View<{ ready: boolean; cards: readonly DealCard[] }> {
  return switchedView(
    [data.tables.deal_stages],
    () => openStageIds(data).join(),
    () => {
      const where = { stage_id: openStageIds(data), expected_close_date: { not: null } }
      const next = listWithoutScroller(
        entriesOf(data, { table: 'deals', where, order: 'closing', limit: closingLimit }, cardOf),
      )
      return view([sourceOfView(next)], () => ({ ready: next.read().ready, cards: loadedEntries(next.read()) }))
    },
  )
}

/** How deals are searched and ordered on this device, in the same way as in SQL. */
export const dealDefinition: TableDefinition<Deal> = {
  matches: dealMatches,
  alsoSearched: ['contacts', 'companies'],
  orders: {
    newest: { compare: () => newestFirst },
    name: { compare: () => byName },
    closing: { compare: () => byCloseDate },
  },
  references: { contact_id: 'contacts', company_id: 'companies' },
}

const byName = byTexts<Deal>((deal) => deal.name)

/** Compares deals by expected close date, earliest first, then by name. Deals without a date come last. */
function byCloseDate(a: Deal, b: Deal): number {
  const [first, second] = [a.expected_close_date ?? '9999', b.expected_close_date ?? '9999']
  if (first !== second) return first < second ? -1 : 1
  return compareNames(a.name, b.name) || (a.id < b.id ? -1 : 1)
}
