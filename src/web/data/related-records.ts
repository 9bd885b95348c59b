import { referencedTables } from '#web/data/query/entries-of.ts'
import { joinLists, noRelatedRecords, type RelatedList, relatedTo } from '#web/data/query/related-list.ts'
import { useView } from '#web/data/query/use-view.ts'
import { switchedView, type View, view, sourceOfView } from '#web/data/query/view.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { type ContactEntry, contactEntry } from './contacts.ts'
import { cardOf, type DealCard } from './deal-cards.ts'
import type { DealContact } from './server/rows.ts'
import { type TaskEntry, taskEntry, taskOrder } from './tasks.ts'

/** Returns the contacts of a company, newest first. */
export function useContactsOfCompany(companyId: string): RelatedList<ContactEntry> {
  return useView(contactsOfCompany, companyId, noRelatedRecords)
}

/** Returns the deals of a company, newest first. */
export function useDealsOfCompany(companyId: string): RelatedList<DealCard> {
  return useView(dealsOfCompany, companyId, noRelatedRecords)
}

/** Returns the deals of a contact, newest first. */
export function useDealsOfContact(contactId: string): RelatedList<DealCard> {
  return useView(dealsOfContact, contactId, noRelatedRecords)
}

/** A deal that has the contact as a further contact, with the contact's part in it. */
export interface FurtherDeal {
  /** The id of the row in `deal_contacts`. */
  id: string
  card: DealCard
  role: DealContact['role']
}

/** Returns the deals that have a contact as a further contact, newest addition first. */
export function useFurtherDealsOfContact(contactId: string): RelatedList<FurtherDeal> {
  return useView(furtherDealsOfContact, contactId, noRelatedRecords)
}

/** Returns the tasks of a contact: open ones by due date, then completed ones, latest first. */
export function useTasksOfContact(contactId: string): RelatedList<TaskEntry> {
  return useView(tasksOfContact, contactId, noRelatedRecords)
}

/** Returns the tasks of a deal: open ones by due date, then completed ones, latest first. */
export function useTasksOfDeal(dealId: string): RelatedList<TaskEntry> {
  return useView(tasksOfDeal, dealId, noRelatedRecords)
}

/**
 * Returns the tasks of a company's contacts and deals: open ones by due date, then completed ones, latest first. If contacts or deals are
 * windowed, returns only the tasks of the contacts and deals that `useContactsOfCompany` and `useDealsOfCompany` return.
 */
export function useTasksOfCompany(companyId: string): RelatedList<TaskEntry> {
  return useView(tasksOfCompany, companyId, noRelatedRecords)
}

/** Creates the view that `useContactsOfCompany` reads. */
export function contactsOfCompany(data: BrandData, companyId: string): View<RelatedList<ContactEntry>> {
  return joinLists([relatedTo(data, { table: 'contacts', where: { company_id: companyId } }, contactEntry)])
}

function dealsOfCompany(data: BrandData, companyId: string): View<RelatedList<DealCard>> {
  return joinLists([relatedTo(data, { table: 'deals', where: { company_id: companyId } }, cardOf)])
}

/** Creates the view that `useDealsOfContact` reads. */
export function dealsOfContact(data: BrandData, contactId: string): View<RelatedList<DealCard>> {
  return joinLists([relatedTo(data, { table: 'deals', where: { contact_id: contactId } }, cardOf)])
}

/**
 * Creates the view that `useFurtherDealsOfContact` reads. The view leaves out deals that are not on this device, such as deleted ones, whose
 * rows in `deal_contacts` the server deletes.
 */
export function furtherDealsOfContact(data: BrandData, contactId: string): View<RelatedList<FurtherDeal>> {
  const list = relatedTo(data, { table: 'deal_contacts', where: { contact_id: contactId } }, (_, row) => row)
  return view([sourceOfView(list), ...referencedTables(data, 'deals'), data.tables.deals], () => {
    const { ready, entries } = list.read()
    const furtherDeals = entries.flatMap(({ id, deal_id, role }) => {
      const deal = data.tables.deals.get(deal_id)
      return deal ? [{ id, card: cardOf(data, deal), role }] : []
    })
    return { ready, total: furtherDeals.length, entries: furtherDeals }
  })
}

function tasksOfContact(data: BrandData, contactId: string): View<RelatedList<TaskEntry>> {
  return tasksOf(data, { contact_id: contactId })
}

/** Creates the view that `useTasksOfDeal` reads. */
export function tasksOfDeal(data: BrandData, dealId: string): View<RelatedList<TaskEntry>> {
  return tasksOf(data, { deal_id: dealId })
}

function tasksOfCompany(data: BrandData, companyId: string): View<RelatedList<TaskEntry>> {
  const contacts = contactsOfCompany(data, companyId)
  const deals = dealsOfCompany(data, companyId)
  const contactIds = () => contacts.read().entries.map(({ contact }) => contact.id)
  const dealIds = () => deals.read().entries.map(({ deal }) => deal.id)
  return switchedView(
    [sourceOfView(contacts), sourceOfView(deals)],
    () => [contacts.read().ready && deals.read().ready, ...contactIds(), ...dealIds()].join(),
    () => {
      const isReady = contacts.read().ready && deals.read().ready
      const lists = [tasksOf(data, { contact_id: contactIds() }), tasksOf(data, { deal_id: dealIds() })]
      return view(lists.map(sourceOfView), () => {
        const parts = lists.map((list) => list.read())
        // A task may link to both a contact and a deal of the company. It is listed once.
        const byId = new Map(parts.flatMap(({ entries }) => entries.map((entry) => [entry.task.id, entry])))
        const entries = [...byId.values()].toSorted((a, b) => taskOrder(a.task, b.task))
        return { ready: isReady && parts.every(({ ready }) => ready), total: entries.length, entries }
      })
    },
  )
}

type TaskLinks = { contact_id: string | string[] } | { deal_id: string | string[] }

function tasksOf(data: BrandData, where: TaskLinks): View<RelatedList<TaskEntry>> {
  return joinLists([
    relatedTo(data, { table: 'tasks', where: { ...where, status: 'open' }, order: 'due' }, taskEntry),
    relatedTo(data, { table: 'tasks', where: { ...where, status: 'done' }, order: 'completed' }, taskEntry),
  ])
}
