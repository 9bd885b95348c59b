import { type BrandData } from '#web/data/store/brand-data.ts'
import {
  type Addition,
  choiceLimit,
  choiceView,
  madeOf,
  noChoices,
  type SearchedChoices,
  useChoiceSearch,
} from '#web/data/query/choice-view.ts'
import { newRow } from '#web/data/changes/correction.ts'
import { EntryCache } from '#web/data/query/entry-cache.ts'
import { listView } from '#web/data/query/list-view.ts'
import { both, listKey, type ListOptions, readListKey } from '#web/data/query/list-options.ts'
import { myId } from '#web/data/store/my-id.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { insert } from '#web/data/changes/mutate.ts'
import type { Choices, RecordList } from '#web/data/query/record-list.ts'
import { readPage } from '#web/data/server/rest-page.ts'
import type { Company } from '#web/data/server/rows.ts'
import { fold, searchText } from '#web/data/query/search-text.ts'
import type { Page } from '#web/data/query/server-list.ts'
import { searchPage, type SearchQuery } from '#web/data/query/server-search.ts'
import { byTexts, newestFirst } from '#web/data/store/sorted-list.ts'
import { useView } from '#web/data/query/use-view.ts'
import type { View } from '#web/data/query/view.ts'

/** How companies can be sorted besides newest first. */
export type CompanySort = 'newest' | 'name'

export interface CompanyEntry {
  company: Company
  waiting: boolean
}

const noList: RecordList<CompanyEntry> = { ready: false, total: 0, at: () => undefined, searching: false }

/** Companies of the active brand, newest first or as asked; `search` filters on name, domain and website without regard to case. */
export function useCompanies(search: string, options: ListOptions<CompanySort> = {}): RecordList<CompanyEntry> {
  return useView(companyList, listKey(search, options), noList)
}

/** Companies for a combobox, by name; what is typed filters, at most 50 come. */
export function useCompanySearch(): SearchedChoices {
  return { ...useChoiceSearch(companyChoices), addition: companyByName }
}

const companyByName: Addition = {
  offer: (text) => text,
  make: (text) => madeOf(addCompany({ name: text, domain: null, phone: null, website: null, notes: null })),
  failure: 'Error adding company',
  hint: 'Type a name to add a company',
}

/** The same for a text that is kept elsewhere. */
export function useCompanyChoices(text: string): Choices {
  return useView(companyChoices, text.trim(), noChoices)
}

export interface NewCompany {
  name: string
  domain: string | null
  phone: string | null
  website: string | null
  notes: string | null
  /** Default: the person signed in. */
  owner_id?: string | null
}

/** Failure 'Error adding company'; success 'Company added' (spec section 8). `corrected`: as `newRow`. */
export function addCompany(company: NewCompany, corrected?: string): Promise<Outcome> {
  const { domain, phone, website, notes } = company
  const details = {
    domain: optional(domain),
    phone: optional(phone),
    website: optional(website),
    notes: optional(notes),
  }
  const owner_id = company.owner_id === undefined ? myId() : company.owner_id
  const values = { name: company.name.trim(), ...details, owner_id }
  return insert({
    table: 'companies',
    ...newRow(corrected),
    title: `Add company ${values.name}`,
    icon: 'company',
    values,
    preview: {},
  })
}

function optional(text: string | null): string | null {
  return text?.trim() || null
}

const entries = new EntryCache<Company, CompanyEntry>()

const byName = byTexts<Company>((company) => company.name)

function entryOf(data: BrandData, company: Company): CompanyEntry {
  const waiting = data.tables.companies.isWaiting(company.id)
  return entries.get(company, [waiting], () => ({ company, waiting }))
}

/** The list behind `useCompanies`, by `listKey`. */
export function companyList(data: BrandData, key: string): View<RecordList<CompanyEntry>> {
  const { search, mine, sort } = readListKey<CompanySort>(key)
  return listView({
    data,
    table: 'companies',
    name: sort,
    order: sort === 'name' ? byName : newestFirst,
    belongs: () => true,
    matches: both(mine ? (company: Company) => company.owner_id === data.userId : null, matching(search)),
    shows: [],
    entry: (company) => entryOf(data, company),
    fetchPage: (offset, signal) =>
      fetchCompanies(data, { text: search, owner: mine ? data.userId : null, sort, offset, limit: 100, signal }),
  })
}

function companyChoices(data: BrandData, search: string): View<Choices> {
  return choiceView({
    data,
    table: 'companies',
    matches: matching(search),
    shows: [],
    choice: (company) => ({ id: company.id, label: company.name, detail: company.domain }),
    fetchSome: (signal) => fetchCompanies(data, { text: search, offset: 0, limit: choiceLimit, signal }),
  })
}

function matching(search: string): ((company: Company) => boolean) | null {
  const text = fold(search)
  return text ? (company) => searchText(company, companyWords).includes(text) : null
}

function companyWords(company: Company): readonly (string | null)[] {
  return [company.name, company.domain, company.website]
}

const orders = {
  newest: [
    { column: 'created_at', ascending: false },
    { column: 'id', ascending: true },
  ],
  name: [
    { column: 'name', ascending: true },
    { column: 'id', ascending: true },
  ],
}

async function fetchCompanies(data: BrandData, query: SearchQuery & { sort?: CompanySort }): Promise<Page> {
  if (query.text) return searchPage(data, 'companies', query)
  const { owner, sort = 'newest', offset, limit, signal } = query
  const equal: Record<string, string> = owner ? { owner_id: owner } : {}
  const page = await readPage({ ...data, table: 'companies', equal, order: orders[sort], offset, limit, signal })
  return { ...page, named: [] }
}
