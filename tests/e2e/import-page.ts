import type { Page } from '@playwright/test'
import { openAs, type Person } from '../harness/browser.ts'

/** Opens the page of the import and waits until a file can be chosen. */
export async function openImport(page: Page, person: Person): Promise<void> {
  await openAs(page, person, '/crm/import-contacts')
  await page.getByRole('button', { name: 'Choose File', exact: true }).waitFor()
}

/**
 * Returns the brand's contacts, each with the name of its company, as a map. Key: the contact's e-mail address in lower case, or '' if it has none,
 * so that the map has only one contact without an address.
 */
export async function contactsOf(person: Person) {
  const rows: { email: string | null; first_name: string; last_name: string; companies: { name: string } | null }[] = []
  for (let from = 0; ; from += 1000) {
    const { data, error } = await person.client
      .from('contacts')
      .select('email, first_name, last_name, companies(name)')
      .eq('brand_id', person.brandId)
      .order('id')
      .range(from, from + 999)
      .overrideTypes<typeof rows, { merge: false }>()
    if (error) throw new Error(error.message)
    rows.push(...data)
    if (data.length < 1000) return new Map(rows.map((row) => [(row.email ?? '').toLowerCase(), row]))
  }
}

/** Returns the message of a completed import. */
export const importCompleteText = (imported: number, errors: number) =>
  `Successfully imported ${imported} contacts. ${errors} errors.`
