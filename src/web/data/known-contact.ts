import type { Device } from '#web/data/browser/device.ts'
import { updateRecord } from '#web/data/changes/update-record.ts'
import { referencedTables } from '#web/data/query/entries-of.ts'
import type { Query } from '#web/data/query/query.ts'
import { findRowLimit, findRow } from '#web/data/query/find-row.ts'
import { rowsOf } from '#web/data/query/rows-of.ts'
import { useView } from '#web/data/query/use-view.ts'
import { type View, view, sourceOfView } from '#web/data/query/view.ts'
import type { Contact } from '#web/data/server/rows.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { addCompany } from './add-company.ts'
import { contactWithEmail } from './add-contact.ts'
import { type ContactEntry, contactEntry } from './contacts.ts'
import { findKnownCompany } from './known-company.ts'

/** Returns the contact with this email address, or null: from this device, or from the server if the contacts are not complete on this device. */
export function useKnownContact(email: string | null): ContactEntry | null {
  return useView(knownContact, email ?? '', null)
}

/** Finds the contact with this email address once. Waits for the server's answer if it is needed and the server is reachable. */
export function findKnownContact(device: Device, email: string): Promise<Contact | undefined> {
  return findRow(device, emailQuery(email), (data) => contactWithEmail(data, email))
}

function knownContact(data: BrandData, email: string): View<ContactEntry | null> {
  if (!email) return { read: () => null, subscribe: () => () => {} }
  const rows = sourceOfView(rowsOf(data, emailQuery(email)))
  return view([rows, data.tables.contacts, ...referencedTables(data, 'contacts')], () => {
    const contact = contactWithEmail(data, email)
    return contact ? contactEntry(data, contact) : null
  })
}

function emailQuery(email: string): Query<'contacts'> {
  return { table: 'contacts', search: email, order: 'email', limit: findRowLimit }
}

/** New values of a known contact. `company` is a name. A new name creates a company. Null leaves the company as it is. */
export type ContactPatch = Partial<
  Pick<Contact, 'first_name' | 'last_name' | 'phone' | 'title'> & { company: string | null }
>

/**
 * Writes new values to a known contact. This edit is treated like an edit in the contact's panel: a colleague's change of the same field causes a
 * conflict. `runInStep` runs an action and adds its edits to a step of undo, the same step in each call.
 */
export async function updateKnownContact(
  device: Device,
  id: string,
  patch: ContactPatch,
  runInStep: <Result>(act: () => Result) => Result,
): Promise<Outcome> {
  const { company, ...values } = patch
  const companyOrRefusal = company ? await companyFor(device, company, runInStep) : null
  if (companyOrRefusal && 'status' in companyOrRefusal) return companyOrRefusal
  return runInStep(() =>
    updateRecord(device, 'contacts', id, { ...values, ...(companyOrRefusal && { company_id: companyOrRefusal.id }) }),
  )
}

/**
 * Returns the id of the company with this name. Creates the company if there is none. Returns the outcome if the server refuses to create
 * it.
 */
async function companyFor(
  device: Device,
  name: string,
  runInStep: <Result>(act: () => Result) => Result,
): Promise<{ id: string } | Outcome> {
  const known = await findKnownCompany(device, name)
  if (known) return { id: known.id }
  const emptyDetails = { domain: null, phone: null, website: null, notes: null }
  const outcome = await runInStep(() => addCompany(device, { name, ...emptyDetails }))
  return outcome.status === 'refused' ? outcome : { id: outcome.id }
}
