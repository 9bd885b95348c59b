import { type Device, useDevice } from '#web/data/browser/device.ts'
import { identityOfNewRow } from '#web/data/changes/correction.ts'
import { insertByRpc, insert } from '#web/data/changes/mutate.ts'
import { choicesOf, addedChoiceOf, noChoices, useChoiceSearch } from '#web/data/query/choice-view.ts'
import { entriesOf } from '#web/data/query/entries-of.ts'
import { noList, type RecordList } from '#web/data/query/record-list.ts'
import { RowMemo } from '#web/data/query/row-memo.ts'
import type { CustomSort } from '#web/data/query/custom-order.ts'
import { listKey, type ListOptions, readListKey } from '#web/data/query/list-options.ts'
import { searchText } from '#web/data/query/search-text.ts'
import { firstCountLimit } from '#web/data/query/query.ts'
import { useView } from '#web/data/query/use-view.ts'
import type { View } from '#web/data/query/view.ts'
import type { Company } from '#web/data/server/rows.ts'
import { reachable } from '#web/data/server/network.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import type { TableDefinition } from '#web/data/store/definition.ts'
import type { CustomPath } from '#web/data/store/row-fields.ts'
import { myId } from '#web/data/store/my-id.ts'
import { byTexts, newestFirst } from '#web/data/store/sorted-list.ts'
import type { Addition, Choices, SearchedChoices } from '#web/lib/choice.ts'

/** The orders of companies. */
export type CompanySort = 'newest' | 'name' | CustomSort

/** A company as lists show it. `waiting`: operations on it wait to be sent. */
export interface CompanyEntry {
  company: Company
  waiting: boolean
}

/** Returns the companies of the active brand, newest first by default. `search` looks in the name, domain and website, and ignores case and accents. */
export function useCompanies(search: string, options: ListOptions<CompanySort> = {}): RecordList<CompanyEntry> {
  return useView(companyList, listKey(search, options), noList)
}

/** Returns companies for a combobox, by name: at most 50 that match the typed text. */
export function useCompanySearch(): SearchedChoices {
  const device = useDevice()
  return { ...useChoiceSearch(companyChoices), addition: companyByName(device) }
}

const companyByName = (device: Device): Addition => ({
  offer: (name) => ({ name }),
  make: (text) =>
    addedChoiceOf(addCompany(device, { name: text, domain: null, phone: null, website: null, notes: null })),
  failure: 'Error adding company',
  hint: 'Type a name to add a company',
})

/** Returns companies for a combobox that manages its text itself. */
export function useCompanyChoices(text: string): Choices {
  return useView(companyChoices, text.trim(), noChoices)
}

export interface NewCompany {
  name: string
  domain: string | null
  phone: string | null
  website: string | null
  notes: string | null
  /** Default: the signed-in user. */
  owner_id?: string | null
  /** Custom fields by path. */
  custom?: { [path: CustomPath]: unknown }
}

/**
 * Adds a company. Failure 'Error adding company', success 'Company added' (spec section 8). `corrected`: id of the refused company that
 * this one replaces. If the company is added offline and a colleague adds a company of the same name meanwhile, the server joins both (then
 * the outcome has the id of the colleague's company). This applies only if the new company has no custom fields, and no company on this
 * device has its name.
 */
export function addCompany(device: Device, company: NewCompany, corrected?: string): Promise<Outcome> {
  const { domain, phone, website, notes } = company
  const details = {
    domain: optional(domain),
    phone: optional(phone),
    website: optional(website),
    notes: optional(notes),
  }
  const owner_id = company.owner_id === undefined ? myId(device) : company.owner_id
  const name = company.name.trim()
  const values = { name, ...details, owner_id, ...company.custom }
  const draft = {
    table: 'companies',
    ...identityOfNewRow(corrected),
    title: `Add company ${name}`,
    icon: 'company',
  } as const
  const data = openBrand(device).get()
  const hasCustom = Object.keys(company.custom ?? {}).length > 0
  if (!data || hasCustom || reachable(device).get() || companyNamed(data, name))
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

function optional(text: string | null): string | null {
  return text?.trim() || null
}

const entries = new RowMemo<Company, CompanyEntry>()

function entryOf(data: BrandData, company: Company): CompanyEntry {
  const waiting = data.tables.companies.isWaiting(company.id)
  return entries.get(company, [waiting], () => ({ company, waiting }))
}

/** The view behind `useCompanies`, by `listKey`. */
export function companyList(data: BrandData, key: string): View<RecordList<CompanyEntry>> {
  const { search, mine, where, sort } = readListKey<CompanySort>(key)
  const narrowed = { ...(mine && { owner_id: data.userId }), ...where }
  return entriesOf(data, { table: 'companies', where: narrowed, search, order: sort, most: firstCountLimit }, entryOf)
}

function companyChoices(data: BrandData, search: string): View<Choices> {
  return choicesOf(data, { table: 'companies', search, order: 'name' }, (company) => ({
    id: company.id,
    label: company.name,
    detail: company.domain,
  }))
}

/** How companies are searched and ordered on this device, in the same way as in SQL. */
export const companyDefinition: TableDefinition<Company> = {
  matches: (_, company, word) => searchText(company, companyWords).includes(word),
  orders: { newest: { compare: () => newestFirst }, name: { compare: () => byName } },
}

const byName = byTexts<Company>((company) => company.name)

function companyWords(company: Company): readonly (string | null)[] {
  return [company.name, company.domain, company.website]
}

/** Returns the company on this device with this name, compared without regard to case. */
export function companyNamed(data: BrandData | null, name: string): Company | undefined {
  const folded = name.toLowerCase()
  for (const company of data?.tables.companies.values() ?? []) if (company.name.toLowerCase() === folded) return company
  return undefined
}
