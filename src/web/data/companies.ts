import { type BrandData } from './brand-data.ts'
import { choiceLimit, choiceView } from './choice-view.ts'
import { EntryCache } from './entry-cache.ts'
import { listView } from './list-view.ts'
import { newId } from './new-id.ts'
import type { Outcome } from './outcome.ts'
import { insert } from './outbox/mutate.ts'
import type { Choices, RecordList } from './record-list.ts'
import { readPage } from './rest-page.ts'
import type { Company } from './rows.ts'
import { fold, searchText } from './search-text.ts'
import type { Page } from './server-list.ts'
import { searchPage } from './server-search.ts'
import { newestFirst } from './sorted-list.ts'
import { useView } from './use-view.ts'
import type { View } from './view.ts'

export interface CompanyEntry {
  company: Company
  waiting: boolean
}

const noList: RecordList<CompanyEntry> = { ready: false, total: 0, at: () => undefined, searching: false }
const noChoices: Choices = { ready: false, choices: [] }

/** Companies of the active brand, newest first; `search` filters on name, domain and website without regard to case. */
export function useCompanies(search: string): RecordList<CompanyEntry> {
  return useView(companyList, search.trim(), noList)
}

/** Companies for a combobox, by name; `text` filters, at most 50 come. */
export function useCompanyChoices(text: string): Choices {
  return useView(companyChoices, text.trim(), noChoices)
}

export interface NewCompany {
  name: string
  domain: string | null
  phone: string | null
  website: string | null
  notes: string | null
}

/** Failure 'Error adding company'; success 'Company added' (spec section 8). */
export function addCompany(company: NewCompany): Promise<Outcome> {
  const { domain, phone, website, notes } = company
  const details = {
    domain: optional(domain),
    phone: optional(phone),
    website: optional(website),
    notes: optional(notes),
  }
  const values = { name: company.name.trim(), ...details }
  return insert({
    table: 'companies',
    rowId: newId(),
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

function companyList(data: BrandData, search: string): View<RecordList<CompanyEntry>> {
  return listView({
    data,
    table: 'companies',
    name: 'newest',
    order: newestFirst,
    belongs: () => true,
    matches: matching(search),
    shows: [],
    entry: (company) => {
      const waiting = data.tables.companies.isWaiting(company.id)
      return entries.get(company, [waiting], () => ({ company, waiting }))
    },
    fetchPage: (offset, signal) => fetchCompanies(data, search, offset, 100, signal),
  })
}

function companyChoices(data: BrandData, search: string): View<Choices> {
  return choiceView({
    data,
    table: 'companies',
    matches: matching(search),
    shows: [],
    choice: (company) => ({ id: company.id, label: company.name, detail: company.domain }),
    fetchSome: (signal) => fetchCompanies(data, search, 0, choiceLimit, signal),
  })
}

function matching(search: string): ((company: Company) => boolean) | null {
  const text = fold(search)
  return text ? (company) => searchText(company, companyWords).includes(text) : null
}

function companyWords(company: Company): readonly (string | null)[] {
  return [company.name, company.domain, company.website]
}

async function fetchCompanies(
  data: BrandData,
  text: string,
  offset: number,
  limit: number,
  signal: AbortSignal,
): Promise<Page> {
  if (text) return searchPage(data, 'companies', { text, offset, limit, signal })
  const order = [
    { column: 'created_at', ascending: false },
    { column: 'id', ascending: true },
  ]
  return { ...(await readPage({ ...data, table: 'companies', order, offset, limit, signal })), named: [] }
}
