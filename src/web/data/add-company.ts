import { type Device, useDevice } from '#web/data/browser/device.ts'
import { identityOfNewRow } from '#web/data/changes/correction.ts'
import { insert, insertByRpc } from '#web/data/changes/mutate.ts'
import { addedChoiceOf, useChoiceSearch } from '#web/data/query/choice-view.ts'
import { reachable } from '#web/data/server/network.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { myId } from '#web/data/store/my-id.ts'
import type { CustomPath } from '#web/data/store/row-fields.ts'
import type { Addition, SearchedChoices } from '#web/lib/choice.ts'
import { companyNamed } from './companies.ts'
import { companyChoices } from './company-picker.ts'

/** Returns companies for a combobox, by name: at most 50 that match the typed text. A name that is not among them can be added as a new company. */
export function useCompanySearch(): SearchedChoices {
  const device = useDevice()
  return { ...useChoiceSearch(companyChoices), addition: companyAddition(device) }
}

const companyAddition = (device: Device): Addition => ({
  offer: (name) => ({ name }),
  make: (text) =>
    addedChoiceOf(addCompany(device, { name: text, domain: null, phone: null, website: null, notes: null })),
  failure: 'Error adding company',
  hint: 'Type a name to add a company',
})

export interface NewCompany {
  name: string
  domain: string | null
  phone: string | null
  website: string | null
  notes: string | null
  /** Default: the signed-in user. */
  owner_id?: string | null
  /** True: if the server already has a company with this name, that company is used instead of a new one, also online. */
  mergesByName?: true
  /** Values of custom fields, by path (`CustomPath`). */
  custom?: { [path: CustomPath]: unknown }
}

/**
 * Adds a company. The screen shows 'Error adding company' after a failure and 'Company added' after a success (spec section 8). `givenId`: see
 * `identityOfNewRow`. The new company may be merged: if the server already has a company with its name, the server fills
 * the empty fields of that company instead, and the outcome has the id of that company. Companies are merged only if the new one is added offline
 * or with `mergesByName`, has no custom fields, and no company on this device has its name.
 */
export function addCompany(device: Device, company: NewCompany, givenId?: string): Promise<Outcome> {
  const { domain, phone, website, notes } = company
  const details = {
    domain: trimmedOrNull(domain),
    phone: trimmedOrNull(phone),
    website: trimmedOrNull(website),
    notes: trimmedOrNull(notes),
  }
  const owner_id = company.owner_id === undefined ? myId(device) : company.owner_id
  const name = company.name.trim()
  const values = { name, ...details, owner_id, ...company.custom }
  const draft = {
    table: 'companies',
    ...identityOfNewRow(givenId),
    title: `Add company ${name}`,
    icon: 'company',
  } as const
  const data = openBrand(device).get()
  const hasCustom = Object.keys(company.custom ?? {}).length > 0
  const isMerged = company.mergesByName || !reachable(device).get()
  if (!data || hasCustom || !isMerged || companyNamed(data, name))
    return insert(device, { ...draft, values, preview: {} })
  const args = {
    p_brand_id: data.brandId,
    p_name: name,
    p_domain: details.domain,
    p_phone: details.phone,
    p_website: details.website,
    p_notes: details.notes,
    p_owner_id: owner_id,
    p_id: draft.rowId,
  }
  return insertByRpc(device, { ...draft, call: { name: 'add_company', args }, preview: values })
}

function trimmedOrNull(text: string | null): string | null {
  return text?.trim() || null
}
