import { entriesOf, loadedEntries, wholeList } from '#web/data/query/entries-of.ts'
import type { Query } from '#web/data/query/query.ts'
import { useView } from '#web/data/query/use-view.ts'
import { type View, view, viewSource } from '#web/data/query/view.ts'
import type { TableName, TableRows } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { type ContactEntry, contactEntry } from './contacts.ts'
import { cardOf, type DealCard } from './deal-cards.ts'
import { type TaskEntry, taskEntry } from './tasks.ts'

/** The records that are linked to a record. `total` includes those that are not in `entries` (the server answers a page of 100). */
export interface RelatedList<Entry> {
  ready: boolean
  total: number
  entries: readonly Entry[]
}

const nothing: RelatedList<never> = { ready: false, total: 0, entries: [] }

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

/** Tasks of a contact: open ones by due date, then completed ones, latest first. */
export function useTasksOfContact(contactId: string): RelatedList<TaskEntry> {
  return useView(tasksOfContact, contactId, nothing)
}

/** Tasks of a deal: open ones by due date, then completed ones, latest first. */
export function useTasksOfDeal(dealId: string): RelatedList<TaskEntry> {
  return useView(tasksOfDeal, dealId, nothing)
}

/** The view behind `useContactsOfCompany`. */
export function contactsOfCompany(data: BrandData, companyId: string): View<RelatedList<ContactEntry>> {
  return joined([relatedTo(data, { table: 'contacts', where: { company_id: companyId } }, contactEntry)])
}

function dealsOfCompany(data: BrandData, companyId: string): View<RelatedList<DealCard>> {
  return joined([relatedTo(data, { table: 'deals', where: { company_id: companyId } }, cardOf)])
}

/** The view behind `useDealsOfContact`. */
export function dealsOfContact(data: BrandData, contactId: string): View<RelatedList<DealCard>> {
  return joined([relatedTo(data, { table: 'deals', where: { contact_id: contactId } }, cardOf)])
}

function tasksOfContact(data: BrandData, contactId: string): View<RelatedList<TaskEntry>> {
  return tasksOf(data, { contact_id: contactId })
}

/** The view behind `useTasksOfDeal`. */
export function tasksOfDeal(data: BrandData, dealId: string): View<RelatedList<TaskEntry>> {
  return tasksOf(data, { deal_id: dealId })
}

function tasksOf(data: BrandData, where: { contact_id: string } | { deal_id: string }): View<RelatedList<TaskEntry>> {
  return joined([
    relatedTo(data, { table: 'tasks', where: { ...where, status: 'open' }, order: 'due' }, taskEntry),
    relatedTo(data, { table: 'tasks', where: { ...where, status: 'done' }, order: 'completed' }, taskEntry),
  ])
}

function relatedTo<Table extends TableName, Entry>(
  data: BrandData,
  query: Query<Table>,
  entry: (data: BrandData, row: TableRows[Table]) => Entry,
): View<RelatedList<Entry>> {
  const list = wholeList(entriesOf(data, query, entry))
  return view([viewSource(list)], () => {
    const { ready, total } = list.read()
    return { ready, total, entries: loadedEntries(list.read()) }
  })
}

/** Concatenates lists. */
function joined<Entry>(lists: readonly View<RelatedList<Entry>>[]): View<RelatedList<Entry>> {
  const [only] = lists
  if (only && lists.length === 1) return only
  return view(lists.map(viewSource), () => {
    const all = lists.map((list) => list.read())
    return {
      ready: all.every(({ ready }) => ready),
      total: all.reduce((sum, { total }) => sum + total, 0),
      entries: all.flatMap(({ entries }) => entries),
    }
  })
}
