import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import {
  type Addition,
  choiceLimit,
  choiceView,
  madeOf,
  type SearchedChoices,
  useChoiceSearch,
} from '#web/data/query/choice-view.ts'
import { companyNameOf, contactMatches } from '#web/data/query/contact-names.ts'
import { fullName } from '#web/data/store/contact-name.ts'
import { byCompany, contactOrders, contactsByCompany, type ContactSort, fetchContacts } from './contact-order.ts'
import { newRow } from '#web/data/changes/correction.ts'
import { EntryCache } from '#web/data/query/entry-cache.ts'
import { listView } from '#web/data/query/list-view.ts'
import { both, listKey, type ListOptions, readListKey } from '#web/data/query/list-options.ts'
import { myId } from '#web/data/store/my-id.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { callForRow } from '#web/data/changes/mutate.ts'
import type { Choices, RecordList } from '#web/data/query/record-list.ts'
import type { Company, Contact } from '#web/data/server/rows.ts'
import { fold } from '#web/data/query/search-text.ts'
import { useView } from '#web/data/query/use-view.ts'
import type { View } from '#web/data/query/view.ts'

export type { ContactSort }

export interface ContactEntry {
  contact: Contact
  companyName: string | null
  waiting: boolean
}

const noList: RecordList<ContactEntry> = { ready: false, total: 0, at: () => undefined, searching: false }

/** Contacts of the active brand, newest first or as asked; `search` filters on name, e-mail and company name without regard to case. */
export function useContacts(search: string, options: ListOptions<ContactSort> = {}): RecordList<ContactEntry> {
  return useView(contactList, listKey(search, options), noList)
}

function contactList(data: BrandData, key: string): View<RecordList<ContactEntry>> {
  const { search, ...options } = readListKey<ContactSort>(key)
  return contactListView(data, search, options)
}

/** Contacts for a combobox, by name; what is typed filters (name, e-mail, company), at most 50 come. */
export function useContactSearch(): SearchedChoices {
  return { ...useChoiceSearch(contactChoices), addition: contactByEmail }
}

/** A contact has an e-mail address (upsert_contact), so only one can be added in passing. */
const contactByEmail: Addition = {
  offer: (text) => (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? text : null),
  make: (text) => madeOf(addContact({ email: text, first_name: null, last_name: null, company: null })),
  failure: 'Error adding contact',
  hint: 'Type an e-mail address to add a contact',
}

export interface NewContact {
  email: string
  first_name: string | null
  last_name: string | null
  /** Company name; found without regard to case, else created. */
  company: string | null
}

/** upsert_contact: an e-mail that exists updates that contact, and its id is the outcome's. Failure 'Error adding contact'; success 'Contact added'. `corrected`: as `newRow`. */
export function addContact(contact: NewContact, corrected?: string): Promise<Outcome> {
  const data = openBrand.get()
  const email = contact.email.trim()
  const [first, last, company] = [contact.first_name, contact.last_name, contact.company].map(
    (text) => text?.trim() || null,
  )
  const { corrects, ...made } = newRow(corrected)
  const rowId = (corrects ? undefined : contactWithEmail(data, email)?.id) ?? made.rowId
  const companyRow = company ? companyNamed(data, company) : undefined
  // A name that is not given keeps the name that is there (upsert_contact).
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
    owner_id: myId(),
    email,
  }
  return callForRow({
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

/** A contact as lists show it. */
export function contactEntry(data: BrandData, contact: Contact): ContactEntry {
  const companyName = companyNameOf(data, contact)
  const waiting = data.tables.contacts.isWaiting(contact.id)
  return entries.get(contact, [companyName, waiting], () => ({ contact, companyName, waiting }))
}

/** The list behind `useContacts`. */
export function contactListView(
  data: BrandData,
  search: string,
  options: ListOptions<ContactSort> = {},
): View<RecordList<ContactEntry>> {
  const text = fold(search)
  const { mine = false, sort = 'newest' } = options
  return listView({
    data,
    table: 'contacts',
    name: sort,
    order: sort === 'company' ? byCompany(data) : contactOrders[sort],
    ...(sort === 'company' && { sorted: () => contactsByCompany(data) }),
    belongs: () => true,
    matches: both(
      mine ? (contact: Contact) => contact.owner_id === data.userId : null,
      text ? (contact: Contact) => contactMatches(data, contact, text) : null,
    ),
    shows: [data.tables.companies],
    entry: (contact) => contactEntry(data, contact),
    fetchPage: (offset, signal) =>
      fetchContacts(data, { text: search, owner: mine ? data.userId : null, sort, offset, limit: 100, signal }),
  })
}

function contactChoices(data: BrandData, search: string): View<Choices> {
  const text = fold(search)
  return choiceView({
    data,
    table: 'contacts',
    matches: text ? (contact) => contactMatches(data, contact, text) : null,
    shows: [data.tables.companies],
    choice: (contact) => {
      const name = fullName(contact)
      return { id: contact.id, label: name ?? contact.email ?? '?', detail: name ? contact.email : null }
    },
    fetchSome: (signal) => fetchContacts(data, { text: search, offset: 0, limit: choiceLimit, signal }),
  })
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
