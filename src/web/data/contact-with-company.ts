import type { Device } from '#web/data/browser/device.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { isComplete } from '#web/data/store/brand-state.ts'
import { type AddedContact, addOrComplete, type NewContact } from './add-contact.ts'
import { addCompany } from './add-company.ts'
import { companyNamed } from './companies.ts'

/**
 * Adds a contact like `addOrComplete`. A new company is a separate operation, so that lists and pickers show the company at once, also
 * offline or before a slow server has answered. The company is sent before the contact, and the server links both by the company's name.
 * The company is a separate operation only if all companies are on this device, because otherwise a second company with the same name could be
 * created.
 */
export async function addContactWithCompany(
  device: Device,
  contact: NewContact,
  givenId?: string,
): Promise<AddedContact> {
  const data = openBrand(device).get()
  const name = contact.company?.trim()
  const isNewCompany = data && name && isComplete(data.state.get(), 'companies') && !companyNamed(data, name)
  if (!isNewCompany) return addOrComplete(device, contact, givenId)
  // The company has no owner, like a company that the server creates from a name. Both edits begin before the first `await`, so they are
  // one step of undo.
  const company = { name, domain: null, phone: null, website: null, notes: null, owner_id: null }
  const [, added] = await Promise.all([
    addCompany(device, { ...company, mergesByName: true }),
    addOrComplete(device, contact, givenId),
  ])
  return added
}
