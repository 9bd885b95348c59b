import type { Device } from '#web/data/browser/device.ts'
import { identityOfNewRow } from '#web/data/changes/correction.ts'
import { insertByRpc } from '#web/data/changes/mutate.ts'
import type { Contact } from '#web/data/server/rows.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import { fullName } from '#web/data/store/contact-name.ts'
import { myId } from '#web/data/store/my-id.ts'
import { companyNamed } from './companies.ts'

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

/** `isNew`: true if it is certain that a contact was created, and that the server did not update a known contact instead. */
export interface AddedContact {
  outcome: Outcome
  isNew: boolean
}

/**
 * Adds a contact. If it has an email address, `upsert_contact` adds it without its phone number and title. If a contact with this address exists, the
 * given names and company replace the names and company of that contact, and the outcome has its id. Without an email address, `add_contact_by_phone`
 * adds the contact and never merges contacts. The screen shows 'Error adding contact' after a failure and 'Contact added' after a success.
 * `givenId`: see `identityOfNewRow`. With it, no contact on this device is looked up: only the server finds a known contact.
 */
export async function addContact(device: Device, contact: NewContact, givenId?: string): Promise<Outcome> {
  return (await addOrComplete(device, contact, givenId)).outcome
}

/** Adds a contact like `addContact`, and also returns whether it is a new contact. */
export async function addOrComplete(device: Device, contact: NewContact, givenId?: string): Promise<AddedContact> {
  const data = openBrand(device).get()
  const [email, phone, title, company] = [contact.email, contact.phone, contact.title, contact.company].map(
    trimmedOrNull,
  )
  const names = { first_name: trimmedOrNull(contact.first_name), last_name: trimmedOrNull(contact.last_name) }
  const { corrects, ...identity } = identityOfNewRow(givenId)
  const knownContact = email && !corrects ? contactWithEmail(data, email) : undefined
  const rowId = knownContact?.id ?? identity.rowId
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
  const emptyValues = { first_name: null, last_name: null, phone: null, title: null, company_id: null, import_id: null }
  const outcome = await insertByRpc(device, {
    table: 'contacts',
    rowId,
    corrects,
    title: `Add contact ${fullName(names) ?? email ?? phone ?? ''}`,
    icon: 'contact',
    call: email
      ? { name: 'upsert_contact', args: { ...args, p_email: email } }
      : { name: 'add_contact_by_phone', args: { ...args, p_phone: phone, p_title: title } },
    preview: data?.tables.contacts.get(rowId) ? values : { ...emptyValues, owner_id: myId(device), email, ...values },
  })
  const hasNewId = outcome.status !== 'refused' && outcome.id === identity.rowId
  return { outcome, isNew: hasNewId && (outcome.status === 'saved' || !email) }
}

/** Returns the contact on this device with this email address, compared without regard to case. */
export function contactWithEmail(data: BrandData | null, email: string): Contact | undefined {
  const folded = email.toLowerCase()
  for (const contact of data?.tables.contacts.values() ?? [])
    if (contact.email?.toLowerCase() === folded) return contact
  return undefined
}

function trimmedOrNull(text: string | null | undefined): string | null {
  return text?.trim() || null
}
