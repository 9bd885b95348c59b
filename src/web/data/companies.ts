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
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { TableDefinition } from '#web/data/store/definition.ts'
import { byTexts, newestFirst } from '#web/data/store/sorted-list.ts'

/** The orders of companies. */
export type CompanySort = 'newest' | 'name' | CustomSort

/** A company as lists show it. `waiting`: true if operations on the company wait to be sent. */
export interface CompanyEntry {
  company: Company
  waiting: boolean
}

/**
 * Returns the companies of the active brand, newest first by default. `search` looks in the name, domain and website, and ignores case and accents.
 */
export function useCompanies(search: string, options: ListOptions<CompanySort> = {}): RecordList<CompanyEntry> {
  return useView(companyList, listKey(search, options), noList)
}

const entries = new RowMemo<Company, CompanyEntry>()

function entryOf(data: BrandData, company: Company): CompanyEntry {
  const waiting = data.tables.companies.isWaiting(company.id)
  return entries.get(company, [waiting], () => ({ company, waiting }))
}

/** Creates the view that `useCompanies` reads. `key` is a `listKey`. */
export function companyList(data: BrandData, key: string): View<RecordList<CompanyEntry>> {
  const { search, mine, where, sort } = readListKey<CompanySort>(key)
  const conditions = { ...(mine && { owner_id: data.userId }), ...where }
  return entriesOf(data, { table: 'companies', where: conditions, search, order: sort, most: firstCountLimit }, entryOf)
}

/** How companies are searched and ordered on this device, in the same way as in SQL. */
export const companyDefinition: TableDefinition<Company> = {
  matches: (_, company, word) => searchText(company, searchedTexts).includes(word),
  orders: { newest: { compare: () => newestFirst }, name: { compare: () => byName } },
}

const byName = byTexts<Company>((company) => company.name)

function searchedTexts(company: Company): readonly (string | null)[] {
  return [company.name, company.domain, company.website]
}

/** Returns the company on this device with this name, compared without regard to case. */
export function companyNamed(data: BrandData | null, name: string): Company | undefined {
  const folded = name.toLowerCase()
  for (const company of data?.tables.companies.values() ?? []) if (company.name.toLowerCase() === folded) return company
  return undefined
}
