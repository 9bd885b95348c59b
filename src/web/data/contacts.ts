import { companyNameOf, contactMatches } from '#web/data/query/contact-names.ts'
import { entriesOf } from '#web/data/query/entries-of.ts'
import { noList, type RecordList } from '#web/data/query/record-list.ts'
import { RowMemo } from '#web/data/query/row-memo.ts'
import type { CustomSort } from '#web/data/query/custom-order.ts'
import { listKey, type ListOptions, readListKey } from '#web/data/query/list-options.ts'
import { firstCountLimit } from '#web/data/query/query.ts'
import { useView } from '#web/data/query/use-view.ts'
import type { View } from '#web/data/query/view.ts'
import type { Contact } from '#web/data/server/rows.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { BrandTables, TableDefinition } from '#web/data/store/definition.ts'
import { byTexts, newestFirst, type Order } from '#web/data/store/sorted-list.ts'
import { compareNames } from '#web/lib/names.ts'

/** The orders of contacts. */
export type ContactSort = 'newest' | 'name' | 'email' | 'company' | CustomSort

/** A contact as lists show it. `waiting`: true if operations on the contact wait to be sent. */
export interface ContactEntry {
  contact: Contact
  companyName: string | null
  waiting: boolean
}

/**
 * Returns the contacts of the active brand, newest first by default. `search` looks in the name, email, job title, phone and company name,
 * and ignores case and accents.
 */
export function useContacts(search: string, options: ListOptions<ContactSort> = {}): RecordList<ContactEntry> {
  return useView(contactList, listKey(search, options), noList)
}

const entries = new RowMemo<Contact, ContactEntry>()

/** Returns the entry of a contact in lists. */
export function contactEntry(data: BrandData, contact: Contact): ContactEntry {
  const companyName = companyNameOf(data, contact)
  const waiting = data.tables.contacts.isWaiting(contact.id)
  return entries.get(contact, [companyName, waiting], () => ({ contact, companyName, waiting }))
}

/** Creates the view that `useContacts` reads. `key` is a `listKey`. */
export function contactList(data: BrandData, key: string): View<RecordList<ContactEntry>> {
  const { search, mine, where, sort } = readListKey<ContactSort>(key)
  const conditions = { ...(mine && { owner_id: data.userId }), ...where }
  return entriesOf(
    data,
    { table: 'contacts', where: conditions, search, order: sort, most: firstCountLimit },
    contactEntry,
  )
}

/**
 * How contacts are searched and ordered on this device, as in SQL. In the orders by name, email and company, contacts without that value come last.
 */
export const contactDefinition: TableDefinition<Contact> = {
  matches: contactMatches,
  alsoSearched: ['companies'],
  orders: {
    newest: { compare: () => newestFirst },
    name: { compare: () => byFullName },
    email: { compare: () => byEmail },
    company: { compare: byCompany, dependsOn: 'companies' },
  },
  references: { company_id: 'companies' },
}

const byFullName = byTexts<Contact>(
  (contact) => contact.first_name,
  (contact) => contact.last_name,
)
const byEmail = byTexts<Contact>((contact) => contact.email?.toLowerCase() ?? null)

/** Ranks the companies once, so that comparing two contacts compares two numbers. */
function byCompany(data: BrandTables): Order<Contact> {
  const ranks = new Map<string, number>()
  const companies = [...data.tables.companies.values()].sort((a, b) => compareNames(a.name, b.name))
  companies.forEach((company, index) => {
    const previous = companies[index - 1]
    // Companies of the same name have the same rank.
    ranks.set(company.id, previous?.name === company.name ? (ranks.get(previous.id) ?? 0) : index + 1)
  })
  const rank = (contact: Contact) => (contact.company_id && ranks.get(contact.company_id)) || Number.MAX_SAFE_INTEGER
  return (a, b) => rank(a) - rank(b) || newestFirst(a, b)
}
