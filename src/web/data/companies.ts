import type { Outcome } from './outcome.ts'
import type { Choices, RecordList } from './record-list.ts'
import type { Company } from './rows.ts'

export interface CompanyEntry {
  company: Company
  waiting: boolean
}

/** Companies of the active brand, newest first; `search` filters on name, domain and website without regard to case. */
export function useCompanies(_search: string): RecordList<CompanyEntry> {
  return { ready: false, total: 0, at: () => undefined, searching: false }
}

/** Companies for a combobox, by name; `text` filters, at most 50 come. */
export function useCompanyChoices(_text: string): Choices {
  return { ready: false, choices: [] }
}

export interface NewCompany {
  name: string
  domain: string | null
  phone: string | null
  website: string | null
  notes: string | null
}

/** Failure 'Error adding company'; success 'Company added' (spec section 8). */
export function addCompany(_company: NewCompany): Promise<Outcome> {
  return Promise.resolve({ status: 'refused', message: '', code: null })
}
