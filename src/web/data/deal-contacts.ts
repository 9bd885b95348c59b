import type { Device } from '#web/data/browser/device.ts'
import { insert } from '#web/data/changes/mutate.ts'
import { noRelatedRecords, type RelatedList, relatedTo } from '#web/data/query/related-list.ts'
import { useView } from '#web/data/query/use-view.ts'
import { type View, view, sourceOfView } from '#web/data/query/view.ts'
import type { DealContact } from '#web/data/server/rows.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { contactName } from '#web/data/store/contact-name.ts'
import type { TableDefinition } from '#web/data/store/definition.ts'
import { newestFirst } from '#web/data/store/sorted-list.ts'
import { newId } from '#web/lib/new-id.ts'

/** The part of a contact in a deal. */
export type DealPart = DealContact['role']

export interface DealContactEntry {
  row: DealContact
  /** Null if the contact has neither a name nor an email address nor a phone number. */
  name: string | null
}

/** Returns the further contacts of a deal, newest first. */
export function useContactsOfDeal(dealId: string): RelatedList<DealContactEntry> {
  return useView(contactsOfDeal, dealId, noRelatedRecords)
}

/**
 * Creates the view that `useContactsOfDeal` reads. The view leaves out contacts that are not on this device, such as deleted ones, whose rows
 * in `deal_contacts` the server deletes.
 */
export function contactsOfDeal(data: BrandData, dealId: string): View<RelatedList<DealContactEntry>> {
  const list = relatedTo(data, { table: 'deal_contacts', where: { deal_id: dealId } }, (_, row) => row)
  const { contacts } = data.tables
  return view([sourceOfView(list), contacts], () => {
    const { ready, entries } = list.read()
    const knownContacts = entries.flatMap((row) => {
      const contact = contacts.get(row.contact_id)
      return contact ? [{ row, name: contactName(contact) }] : []
    })
    return { ready, total: knownContacts.length, entries: knownContacts }
  })
}

/**
 * Adds a contact to a deal, with a part. If a colleague has meanwhile added the contact, or deleted the contact or the deal, the outcome's
 * message says so.
 */
export async function addDealContact(
  device: Device,
  dealId: string,
  contact: { id: string; label: string },
  role: DealPart,
): Promise<Outcome> {
  const values = { deal_id: dealId, contact_id: contact.id, role }
  const title = `Add “${contact.label}” to a deal`
  const addition = { table: 'deal_contacts', rowId: newId(), title, icon: 'contact', values, preview: {} } as const
  const outcome = await insert(device, addition)
  if (outcome.status !== 'refused') return outcome
  if (outcome.code === '23505') return { ...outcome, message: `${contact.label} is already on this deal.` }
  if (outcome.code === '23503') return { ...outcome, message: 'This contact or deal was deleted meanwhile.' }
  return outcome
}

/** How the further contacts of deals are ordered on this device, in the same way as in SQL. */
export const dealContactDefinition: TableDefinition<DealContact> = {
  orders: { newest: { compare: () => newestFirst } },
  references: { deal_id: 'deals', contact_id: 'contacts' },
}
