import type { Device } from '#web/data/browser/device.ts'
import { reachable } from '#web/data/server/network.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { isComplete } from '#web/data/store/brand-state.ts'
import { addCompany } from './companies.ts'
import { type AddedContact, addOrComplete, companyNamed, type NewContact } from './contacts.ts'

/**
 * Adds a contact as `addOrComplete` does, whose request also makes its company. Without a connection a company that nobody has is a record of
 * its own, sent before the contact, which the server then gives to it by its name: so it is in the lists until then. Only where all companies
 * are on this device, because another one of the same name would be made otherwise.
 */
export async function addWithCompany(device: Device, contact: NewContact, corrected?: string): Promise<AddedContact> {
  const data = openBrand(device).get()
  const name = contact.company?.trim()
  const isNew = data && name && isComplete(data.state.get(), 'companies') && !companyNamed(data, name)
  if (!isNew || reachable(device).get()) return addOrComplete(device, contact, corrected)
  // Nobody's, as the one that the server makes of a name. Both begin before the first `await`: they are one step of undoing.
  const nothing = { domain: null, phone: null, website: null, notes: null, owner_id: null }
  const [, added] = await Promise.all([
    addCompany(device, { name, ...nothing }),
    addOrComplete(device, contact, corrected),
  ])
  return added
}
