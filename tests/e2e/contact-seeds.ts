import { createPerson, openAs, type Person } from '../harness/browser.ts'
import type { Page } from '@playwright/test'
import type { TestServer } from '../harness/server.ts'

/** A contact to insert. `company` is the name of a company that is inserted, too. */
export interface SeedContact {
  email?: string
  first?: string
  last?: string
  title?: string
  phone?: string
  company?: string
}

/** Creates a person with a brand and these contacts. The first contact of the list is the newest. */
export async function personWithContacts(server: TestServer, contacts: readonly SeedContact[]): Promise<Person> {
  const person = await createPerson(server, { brand: 'Harbour' })
  const companies = new Map<string, string>()
  for (const { company } of contacts) {
    if (company && !companies.has(company))
      companies.set(company, await insertRow(person, 'companies', { name: company }))
  }
  for (const { email, first, last, title, phone, company } of contacts.toReversed()) {
    const textColumns = {
      first_name: first ?? null,
      last_name: last ?? null,
      title: title ?? null,
      phone: phone ?? null,
    }
    const company_id = company ? companies.get(company) : null
    await insertRow(person, 'contacts', { email: email ?? null, ...textColumns, company_id })
  }
  return person
}

/** Inserts a row into a table of the person's brand. Returns its id. Throws the message of a refusal. */
export async function insertRow(person: Person, table: string, row: Record<string, unknown>): Promise<string> {
  const { data, error } = await person.client
    .from(table)
    .insert({ brand_id: person.brandId, ...row })
    .select('id')
    .single()
  if (error) throw new Error(`${table}: ${error.message}`)
  return data.id
}

/** Opens the list of contacts as this person and waits for its title. */
export async function openContacts(page: Page, person: Person): Promise<void> {
  await openAs(page, person, '/crm/contacts')
  await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
}

/** Returns the table rows that contain this text. */
export function rowsWithText(page: Page, text: string) {
  return page.getByRole('row').filter({ hasText: text })
}
