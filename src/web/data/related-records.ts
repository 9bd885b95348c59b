import { isComplete } from '#web/data/store/brand-state.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { type ContactEntry, contactEntry } from './contacts.ts'
import { cardOf, type DealCard } from './deal-cards.ts'
import { observable } from '#web/lib/observable.ts'
import { readPage } from '#web/data/server/rest-page.ts'
import { RpcError } from '#web/data/server/rpc.ts'
import { newestFirst, type Order } from '#web/data/store/sorted-list.ts'
import { storeRows } from '#web/data/store/store-rows.ts'
import type { TableName, TableRows } from '#web/data/server/tables.ts'
import { type TaskEntry, taskEntry, taskOrder } from './tasks.ts'
import { useView } from '#web/data/query/use-view.ts'
import { type Source, sourceOf, type View, view } from '#web/data/query/view.ts'

/** What is linked to a record. `total` counts also those that are not in `entries` (at most 100 come from the server). */
export interface RelatedList<Entry> {
  ready: boolean
  total: number
  entries: readonly Entry[]
}

const nothing: RelatedList<never> = { ready: false, total: 0, entries: [] }
const limit = 100

/** Contacts of a company, newest first. */
export function useContactsOfCompany(companyId: string): RelatedList<ContactEntry> {
  return useView(contactsOfCompany, companyId, nothing)
}

/** Deals of a company, newest first. */
export function useDealsOfCompany(companyId: string): RelatedList<DealCard> {
  return useView(dealsOfCompany, companyId, nothing)
}

/** Deals of a contact, newest first. */
export function useDealsOfContact(contactId: string): RelatedList<DealCard> {
  return useView(dealsOfContact, contactId, nothing)
}

/** Tasks of a contact: open ones by due date, then those done last. */
export function useTasksOfContact(contactId: string): RelatedList<TaskEntry> {
  return useView(tasksOfContact, contactId, nothing)
}

/** Tasks of a deal: open ones by due date, then those done last. */
export function useTasksOfDeal(dealId: string): RelatedList<TaskEntry> {
  return useView(tasksOfDeal, dealId, nothing)
}

/** The view behind `useContactsOfCompany`. */
export function contactsOfCompany(data: BrandData, companyId: string): View<RelatedList<ContactEntry>> {
  return relatedView({
    data,
    table: 'contacts',
    column: 'company_id',
    id: companyId,
    order: newestFirst,
    shows: [data.tables.companies],
    entry: (contact) => contactEntry(data, contact),
  })
}

function dealsOfCompany(data: BrandData, id: string): View<RelatedList<DealCard>> {
  return dealsOf(data, 'company_id', id)
}

/** The view behind `useDealsOfContact`. */
export function dealsOfContact(data: BrandData, id: string): View<RelatedList<DealCard>> {
  return dealsOf(data, 'contact_id', id)
}

function dealsOf(data: BrandData, column: 'company_id' | 'contact_id', id: string): View<RelatedList<DealCard>> {
  return relatedView({
    data,
    table: 'deals',
    column,
    id,
    order: newestFirst,
    shows: [data.tables.contacts, data.tables.companies],
    entry: (deal) => cardOf(data, deal),
  })
}

function tasksOfContact(data: BrandData, id: string): View<RelatedList<TaskEntry>> {
  return tasksOf(data, 'contact_id', id)
}

/** The view behind `useTasksOfDeal`. */
export function tasksOfDeal(data: BrandData, id: string): View<RelatedList<TaskEntry>> {
  return tasksOf(data, 'deal_id', id)
}

function tasksOf(data: BrandData, column: 'contact_id' | 'deal_id', id: string): View<RelatedList<TaskEntry>> {
  return relatedView({
    data,
    table: 'tasks',
    column,
    id,
    order: taskOrder,
    shows: [data.tables.contacts, data.tables.deals],
    entry: (task) => taskEntry(data, task),
  })
}

interface RelatedOptions<Table extends TableName, Entry> {
  data: BrandData
  table: Table
  column: keyof TableRows[Table] & string
  id: string
  order: Order<TableRows[Table]>
  shows: readonly Source[]
  entry: (row: TableRows[Table]) => Entry
}

/** From what is here; where the table is not complete, rows and total come from the server too, into the same store. */
function relatedView<Table extends TableName, Entry>(options: RelatedOptions<Table, Entry>): View<RelatedList<Entry>> {
  const { data, table, column, id, order, entry } = options
  const answer = observable<{ total: number } | null>(null)
  const sources = [data.tables[table], ...options.shows, sourceOf(data.state), sourceOf(data.loaded), sourceOf(answer)]
  const inner = view<RelatedList<Entry>>(sources, () => {
    const rows: TableRows[Table][] = []
    for (const row of data.tables[table].values()) if (row[column] === id) rows.push(row)
    const isWhole = isComplete(data.state.get(), table)
    const total = isWhole ? rows.length : Math.max(rows.length, answer.get()?.total ?? 0)
    const ready = data.loaded.get() && (isWhole || rows.length > 0 || answer.get() !== null)
    return { ready, total, entries: rows.sort(order).map(entry) }
  })
  return {
    read: inner.read,
    subscribe: (listener) => {
      const abort = new AbortController()
      const bring = async () => {
        // As in brought.ts: the whole table may be here.
        await data.stateKnown
        if (abort.signal.aborted || isComplete(data.state.get(), table)) return
        answer.set(await fetchRelated(options, abort.signal))
      }
      void bring()
      const stops = [inner.subscribe(listener), data.hearStirs((stirred) => stirred === table && void bring())]
      return () => {
        abort.abort()
        for (const stop of stops) stop()
      }
    },
  }
}

/** Null where no answer came. */
async function fetchRelated<Table extends TableName, Entry>(
  { data, table, column, id }: RelatedOptions<Table, Entry>,
  signal: AbortSignal,
): Promise<{ total: number } | null> {
  const { userId, brandId } = data
  const order = [
    { column: 'created_at', ascending: false },
    { column: 'id', ascending: true },
  ]
  try {
    const page = { userId, brandId, table, equal: { [column]: id }, order, offset: 0, limit, signal }
    const { rows, total } = await readPage(page)
    await storeRows({ userId, brandId, table, rows: rows.filter((row) => !data.gone.has(row.id)) })
    return { total }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return null
  }
}
