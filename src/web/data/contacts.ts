import type { Device } from '#web/data/browser/device.ts'
import { identityOfNewRow } from '#web/data/changes/correction.ts'
import { insertByRpc } from '#web/data/changes/mutate.ts'
import { companyNameOf, contactMatches } from '#web/data/query/contact-names.ts'
import { entriesOf } from '#web/data/query/entries-of.ts'
import { noList, type RecordList } from '#web/data/query/record-list.ts'
import { RowMemo } from '#web/data/query/row-memo.ts'
import type { CustomSort } from '#web/data/query/custom-order.ts'
import { listKey, type ListOptions, readListKey } from '#web/data/query/list-options.ts'
import { firstCountLimit } from '#web/data/query/query.ts'
import { useView } from '#web/data/query/use-view.ts'
import type { View } from '#web/data/query/view.ts'
import type { Company, Contact } from '#web/data/server/rows.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import { fullName } from '#web/data/store/contact-name.ts'
import type { BrandTables, TableDefinition } from '#web/data/store/definition.ts'
import { myId } from '#web/data/store/my-id.ts'
import { byTexts, newestFirst, type Order } from '#web/data/store/sorted-list.ts'
import { compareNames } from '#web/lib/names.ts'

/** The orders of contacts. */
export type ContactSort = 'newest' | 'name' | 'email' | 'company' | CustomSort

/** A contact as lists show it. `waiting`: operations on it wait to be sent. */
export interface ContactEntry {
  contact: Contact
  companyName: string | null
  waiting: boolean
}

/**
 * Returns the contacts of the active brand, newest first by default. `search` finds name, email and company name, without regard to case.
 */
export function useContacts(search: string, options: ListOptions<ContactSort> = {}): RecordList<ContactEntry> {
  return useView(contactList, listKey(search, options), noList)
}

export interface NewContact {
  /** A known contact is found by its email address. Without an email address, a phone number is required. */
  email: string | null
  phone?: string | null
  first_name: string | null
  last_name: string | null
  /** Job title. */
  title?: string | null
  /** Company name, looked up without regard to case. A new name creates a company. */
  company: string | null
}

/** `isNew`: true if it is certain that a contact was created, and that no known contact was completed instead. */
export interface AddedContact {
  outcome: Outcome
  isNew: boolean
}

/**
 * Adds a contact. If it has an email address, `upsert_contact` adds it without its phone number and title. If a contact with the address
 * exists, that contact is completed, and the outcome has its id. Without an email address, `add_contact_by_phone` adds the contact and never
 * merges contacts. Failure 'Error adding contact', success 'Contact added'. `corrected`: id of the refused contact that this one replaces.
 */
export async function addContact(device: Device, contact: NewContact, corrected?: string): Promise<Outcome> {
  return (await addOrComplete(device, contact, corrected)).outcome
}

/** Adds a contact like `addContact`, and also returns whether it is a new contact. */
export async function addOrComplete(device: Device, contact: NewContact, corrected?: string): Promise<AddedContact> {
  const data = openBrand(device).get()
  const [email, phone, title, company] = [contact.email, contact.phone, contact.title, contact.company].map(trimmed)
  const names = { first_name: trimmed(contact.first_name), last_name: trimmed(contact.last_name) }
  const { corrects, ...made } = identityOfNewRow(corrected)
  const known = email && !corrects ? contactWithEmail(data, email) : undefined
  const rowId = known?.id ?? made.rowId
  const args = {
    p_brand_id: data?.brandId,
    p_first: names.first_name,
    p_last: names.last_name,
    p_company_name: company,
    p_id: rowId,
  }
  const company_id = company ? (companyNamed(data, company)?.id ?? null) : null
  // The preview leaves out empty values, because upsert_contact keeps the present name of a known contact if none is given.
  const typed = { ...names, company_id, ...(!email && { phone, title }) }
  const values = Object.fromEntries(Object.entries(typed).filter(([, value]) => value))
  const nothing = { first_name: null, last_name: null, phone: null, title: null, company_id: null, import_id: null }
  const outcome = await insertByRpc(device, {
    table: 'contacts',
    rowId,
    corrects,
    title: `Add contact ${fullName(names) ?? email ?? phone ?? ''}`,
    icon: 'contact',
    call: email
      ? { name: 'upsert_contact', args: { ...args, p_email: email } }
      : { name: 'add_contact_by_phone', args: { ...args, p_phone: phone, p_title: title } },
    preview: data?.tables.contacts.get(rowId) ? values : { ...nothing, owner_id: myId(device), email, ...values },
  })
  const isOwnRow = outcome.status !== 'refused' && outcome.id === made.rowId
  return { outcome, isNew: isOwnRow && (outcome.status === 'saved' || !email) }
}

const entries = new RowMemo<Contact, ContactEntry>()

/** Returns the entry of a contact in lists. */
export function contactEntry(data: BrandData, contact: Contact): ContactEntry {
  const companyName = companyNameOf(data, contact)
  const waiting = data.tables.contacts.isWaiting(contact.id)
  return entries.get(contact, [companyName, waiting], () => ({ contact, companyName, waiting }))
}

/** The view behind `useContacts`, by `listKey`. */
export function contactList(data: BrandData, key: string): View<RecordList<ContactEntry>> {
  const { search, mine, where, sort } = readListKey<ContactSort>(key)
  const narrowed = { ...(mine && { owner_id: data.userId }), ...where }
  return entriesOf(
    data,
    { table: 'contacts', where: narrowed, search, order: sort, most: firstCountLimit },
    contactEntry,
  )
}

/** How contacts are searched and ordered on this device, as in SQL. Contacts without the value of an order (name, email, company) come last in it. */
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

/** Returns the contact on this device with this email address, compared without regard to case. */
export function contactWithEmail(data: BrandData | null, email: string): Contact | undefined {
  const folded = email.toLowerCase()
  for (const contact of data?.tables.contacts.values() ?? [])
    if (contact.email?.toLowerCase() === folded) return contact
  return undefined
}

/** Returns the company on this device with this name, compared without regard to case. */
export function companyNamed(data: BrandData | null, name: string): Company | undefined {
  const folded = name.toLowerCase()
  for (const company of data?.tables.companies.values() ?? []) if (company.name.toLowerCase() === folded) return company
  return undefined
}

function trimmed(text: string | null | undefined): string | null {
  return text?.trim() || null
}
