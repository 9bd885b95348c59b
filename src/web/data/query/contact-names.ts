import type { BrandTables } from '#web/data/store/definition.ts'
import type { Company, Contact } from '#web/data/server/rows.ts'
import { fold, searchText } from './search-text.ts'

/** The company of a contact by name; for one that waits to be made, the name that was typed. */
export function companyNameOf(data: BrandTables, contact: Contact): string | null {
  const company = contact.company_id ? data.tables.companies.get(contact.company_id) : undefined
  if (company) return company.name
  for (const { call } of data.tables.contacts.operationsOf(contact.id)) {
    const typed = call?.args.p_company_name
    if (typeof typed === 'string') return typed
  }
  return null
}

/** Whether a contact's name, e-mail or company name contains the (folded) text, as `search_contacts` of the server has it. */
export function contactMatches(data: BrandTables, contact: Contact, text: string): boolean {
  if (searchText(contact, contactWords).includes(text)) return true
  const company = companyNameOf(data, contact)
  return company !== null && fold(company).includes(text)
}

/** Whether a contact's first and last name contain the (folded) text. */
export function nameMatches(contact: Contact | undefined, text: string): boolean {
  return contact !== undefined && searchText(contact, nameWords).includes(text)
}

/** Whether a company's name contains the (folded) text. */
export function companyNameMatches(company: Company | undefined, text: string): boolean {
  return company !== undefined && searchText(company, companyWords).includes(text)
}

function contactWords(contact: Contact): readonly (string | null)[] {
  return [contact.first_name, contact.last_name, contact.email]
}

function nameWords(contact: Contact): readonly (string | null)[] {
  return [contact.first_name, contact.last_name]
}

function companyWords(company: Company): readonly (string | null)[] {
  return [company.name]
}
