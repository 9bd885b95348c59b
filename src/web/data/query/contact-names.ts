import type { BrandTables } from '#web/data/store/definition.ts'
import type { Company, Contact } from '#web/data/server/rows.ts'
import { digitsOf, foldedForms, searchText } from './search-text.ts'

/**
 * Returns the name of a contact's company. If the contact waits to be sent and its company does not exist yet, returns the name that was typed.
 * Null if the contact has no company, or if its company is not on this device.
 */
export function companyNameOf(data: BrandTables, contact: Contact): string | null {
  const company = contact.company_id ? data.tables.companies.get(contact.company_id) : undefined
  if (company) return company.name
  for (const { call } of data.tables.contacts.operationsOf(contact.id)) {
    const typed = call?.args.p_company_name
    if (typeof typed === 'string') return typed
  }
  return null
}

/** Whether `word`, in lower case and without accents, occurs in the searched fields of a contact or in the name of its company. */
export function contactMatches(data: BrandTables, contact: Contact, word: string): boolean {
  if (ownTextMatches(contact, word)) return true
  const company = companyNameOf(data, contact)
  return company !== null && foldedForms(company).some((form) => form.includes(word))
}

/**
 * Whether `word`, in lower case and without accents, occurs in the searched fields of a contact. The name of its company is not searched.
 */
export function ownTextMatches(contact: Contact, word: string): boolean {
  return searchText(contact, contactTexts).includes(word)
}

/** Whether `word`, in lower case and without accents, occurs in a contact's first or last name. */
export function nameMatches(contact: Contact | undefined, word: string): boolean {
  return contact !== undefined && searchText(contact, nameTexts).includes(word)
}

/** Whether `word`, in lower case and without accents, occurs in a company's name. */
export function companyNameMatches(company: Company | undefined, word: string): boolean {
  return company !== undefined && searchText(company, companyTexts).includes(word)
}

function contactTexts(contact: Contact): readonly (string | null)[] {
  const { first_name: first, last_name: last, email, title, phone } = contact
  return [first, last, email, title, phone && digitsOf(phone)]
}

function nameTexts(contact: Contact): readonly (string | null)[] {
  return [contact.first_name, contact.last_name]
}

function companyTexts(company: Company): readonly (string | null)[] {
  return [company.name]
}
