import type { BrandTables } from '#web/data/store/definition.ts'
import type { Company, Contact } from '#web/data/server/rows.ts'
import { digitsOf, foldedForms, searchText } from './search-text.ts'

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

/** Whether what a contact is searched by, or the name of its company, contains a folded word. */
export function contactMatches(data: BrandTables, contact: Contact, word: string): boolean {
  if (ownTextMatches(contact, word)) return true
  const company = companyNameOf(data, contact)
  return company !== null && foldedForms(company).some((form) => form.includes(word))
}

/** Whether what a contact is searched by, without the name of its company, contains a folded word. */
export function ownTextMatches(contact: Contact, word: string): boolean {
  return searchText(contact, contactWords).includes(word)
}

/** Whether a contact's first and last name contain a folded word. */
export function nameMatches(contact: Contact | undefined, word: string): boolean {
  return contact !== undefined && searchText(contact, nameWords).includes(word)
}

/** Whether a company's name contains a folded word. */
export function companyNameMatches(company: Company | undefined, word: string): boolean {
  return company !== undefined && searchText(company, companyWords).includes(word)
}

function contactWords(contact: Contact): readonly (string | null)[] {
  const { first_name: first, last_name: last, email, title, phone } = contact
  return [first, last, email, title, phone && digitsOf(phone)]
}

function nameWords(contact: Contact): readonly (string | null)[] {
  return [contact.first_name, contact.last_name]
}

function companyWords(company: Company): readonly (string | null)[] {
  return [company.name]
}
