import { type Device, useDevice } from '#web/data/browser/device.ts'
import { newRow } from '#web/data/changes/correction.ts'
import { callForRow } from '#web/data/changes/mutate.ts'
import { choicesOf, madeOf, useChoiceSearch } from '#web/data/query/choice-view.ts'
import { companyNameOf, contactMatches } from '#web/data/query/contact-names.ts'
import { entriesOf } from '#web/data/query/entries-of.ts'
import { noList, type RecordList } from '#web/data/query/record-list.ts'
import { EntryCache } from '#web/data/query/entry-cache.ts'
import { listKey, type ListOptions, readListKey } from '#web/data/query/list-options.ts'
import { useView } from '#web/data/query/use-view.ts'
import type { View } from '#web/data/query/view.ts'
import type { Company, Contact } from '#web/data/server/rows.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import { fullName } from '#web/data/store/contact-name.ts'
import type { BrandTables, TableDefinition } from '#web/data/store/definition.ts'
import { myId } from '#web/data/store/my-id.ts'
import { byTexts, newestFirst, type Order } from '#web/data/store/sorted-list.ts'
import type { Addition, Choices, SearchedChoices } from '#web/lib/choice.ts'
import { compareNames } from '#web/lib/names.ts'

/** The orders of contacts. */
export type ContactSort = 'newest' | 'name' | 'email' | 'company'

export interface ContactEntry {
  contact: Contact
  companyName: string | null
  waiting: boolean
}

/** Contacts of the active brand, newest first by default; `search` filters on name, e-mail and company name without regard to case. */
export function useContacts(search: string, options: ListOptions<ContactSort> = {}): RecordList<ContactEntry> {
  return useView(contactList, listKey(search, options), noList)
}

/** Contacts for a combobox, by name: at most 50 whose name, e-mail or company matches the typed text. */
export function useContactSearch(): SearchedChoices {
  const device = useDevice()
  return { ...useChoiceSearch(contactChoices), addition: contactByEmail(device) }
}

/** Adds a contact from the combobox. The text must be an e-mail address, because every new contact has one (upsert_contact). */
const contactByEmail = (device: Device): Addition => ({
  offer: (text) => (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? text : null),
  make: (text) => madeOf(addContact(device, { email: text, first_name: null, last_name: null, company: null })),
  failure: 'Error adding contact',
  hint: 'Type an e-mail address to add a contact',
})

export interface NewContact {
  email: string
  first_name: string | null
  last_name: string | null
  /** Company name, looked up without regard to case. A new name creates a company. */
  company: string | null
}

/**
 * Adds a contact (upsert_contact). An e-mail that exists updates that contact, whose id is the outcome's. Failure 'Error adding contact';
 * success 'Contact added'. `corrected`: id of the refused contact that this one replaces.
 */
export function addContact(device: Device, contact: NewContact, corrected?: string): Promise<Outcome> {
  const data = openBrand(device).get()
  const email = contact.email.trim()
  const [first, last, company] = [contact.first_name, contact.last_name, contact.company].map(
    (text) => text?.trim() || null,
  )
  const { corrects, ...made } = newRow(corrected)
  const rowId = (corrects ? undefined : contactWithEmail(data, email)?.id) ?? made.rowId
  const companyRow = company ? companyNamed(data, company) : undefined
  // upsert_contact keeps the present name where none is given.
  const given = { first_name: first, last_name: last, company_id: companyRow?.id }
  const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value))
  const isNew = !data?.tables.contacts.get(rowId)
  const empty = {
    first_name: null,
    last_name: null,
    phone: null,
    title: null,
    company_id: null,
    import_id: null,
    owner_id: myId(device),
    email,
  }
  return callForRow(device, {
    table: 'contacts',
    rowId,
    corrects,
    title: `Add contact ${fullName({ first_name: first ?? null, last_name: last ?? null }) ?? email}`,
    icon: 'contact',
    call: {
      name: 'upsert_contact',
      args: {
        p_brand_id: data?.brandId,
        p_email: email,
        p_first: first,
        p_last: last,
        p_company_name: company,
        p_id: rowId,
      },
    },
    preview: isNew ? { ...empty, ...known } : known,
  })
}

const entries = new EntryCache<Contact, ContactEntry>()

/** The entry of a contact in lists. */
export function contactEntry(data: BrandData, contact: Contact): ContactEntry {
  const companyName = companyNameOf(data, contact)
  const waiting = data.tables.contacts.isWaiting(contact.id)
  return entries.get(contact, [companyName, waiting], () => ({ contact, companyName, waiting }))
}

/** The list behind `useContacts`, by `listKey`. */
export function contactList(data: BrandData, key: string): View<RecordList<ContactEntry>> {
  const { search, mine, sort } = readListKey<ContactSort>(key)
  const where = mine ? { owner_id: data.userId } : {}
  return entriesOf(data, { table: 'contacts', where, search, order: sort }, contactEntry)
}

function contactChoices(data: BrandData, search: string): View<Choices> {
  return choicesOf(data, { table: 'contacts', search, order: 'name' }, (contact) => {
    const name = fullName(contact)
    return { id: contact.id, label: name ?? contact.email ?? '?', detail: name ? contact.email : null }
  })
}

/** How contacts are searched and ordered on this device, as SQL does it. Contacts without a name, e-mail or company come last. */
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
    const before = companies[index - 1]
    // Companies of the same name have the same rank.
    ranks.set(company.id, before?.name === company.name ? (ranks.get(before.id) ?? 0) : index + 1)
  })
  const rank = (contact: Contact) => (contact.company_id && ranks.get(contact.company_id)) || Number.MAX_SAFE_INTEGER
  return (a, b) => rank(a) - rank(b) || newestFirst(a, b)
}

function contactWithEmail(data: BrandData | null, email: string): Contact | undefined {
  const folded = email.toLowerCase()
  for (const contact of data?.tables.contacts.values() ?? [])
    if (contact.email?.toLowerCase() === folded) return contact
  return undefined
}

function companyNamed(data: BrandData | null, name: string): Company | undefined {
  const folded = name.toLowerCase()
  for (const company of data?.tables.companies.values() ?? []) if (company.name.toLowerCase() === folded) return company
  return undefined
}
