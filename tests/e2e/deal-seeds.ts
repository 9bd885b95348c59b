import type { Locator, Page } from '@playwright/test'
import { createPerson, openAs, type Person } from '../harness/browser.ts'
import type { TestServer } from '../harness/server.ts'

/** A deal to insert. `stage` and `company` are names, `day` is the expected close date (`YYYY-MM-DD`). */
export interface SeedDeal {
  name: string
  stage?: string
  amount?: number
  currency?: string
  day?: string
  contact?: { first: string; last: string; email: string }
  company?: string
}

/** Creates a person with a brand and these deals, with their contacts and companies. The first deal of the list is the newest. */
export async function personWithDeals(server: TestServer, deals: readonly SeedDeal[]): Promise<Person> {
  const person = await createPerson(server, { brand: 'Harbour' })
  const stages = await stagesOf(person)
  const ids = { companies: new Map<string, string>(), contacts: new Map<string, string>() }
  for (const { company, contact } of deals) {
    if (company) ids.companies.set(company, await insert(person, 'companies', { name: company }))
    const contactColumns = contact && { email: contact.email, first_name: contact.first, last_name: contact.last }
    if (contact) ids.contacts.set(contact.email, await insert(person, 'contacts', contactColumns ?? {}))
  }
  const rows = deals.map((deal) => ({
    name: deal.name,
    amount: deal.amount ?? 0,
    amount_currency: deal.currency ?? 'GBP',
    stage_id: stages.get(deal.stage ?? 'Incoming'),
    expected_close_date: deal.day ?? null,
    contact_id: ids.contacts.get(deal.contact?.email ?? '') ?? null,
    company_id: ids.companies.get(deal.company ?? '') ?? null,
  }))
  // Inserts each deal by its own statement, so that each has its own `created_at`.
  for (const row of rows.toReversed()) {
    const { error } = await person.client.from('deals').insert({ brand_id: person.brandId, ...row })
    if (error) throw new Error(error.message)
  }
  return person
}

/** Runs a statement as the owner role, to which row-level security does not apply. */
export async function runAsOwnerRole(server: TestServer, text: string, values: unknown[] = []): Promise<void> {
  if (!server.database) throw new Error('This test needs a server that runs in the process of the test.')
  await server.database.owner.query(text, values)
}

/** Opens the board as this person and waits for the column of a stage. */
export async function openBoard(page: Page, person: Person, stage = 'Incoming'): Promise<void> {
  await openAs(page, person, '/crm/deals')
  await columnOf(page, stage).waitFor()
}

/** Returns a map from the names of the brand's stages to their ids. */
export async function stagesOf(person: Person): Promise<Map<string, string>> {
  const { data, error } = await person.client.from('deal_stages').select('id, name').eq('brand_id', person.brandId)
  if (error) throw new Error(error.message)
  return new Map(data.map(({ id, name }) => [name, id]))
}

/** Returns the name of the stage that a deal has on the server. */
export async function stageOnServer(person: Person, deal: string): Promise<string> {
  const { data, error } = await person.client
    .from('deals')
    .select('deal_stages(name)')
    .eq('brand_id', person.brandId)
    .eq('name', deal)
    .single<{ deal_stages: { name: string } }>()
  if (error) throw new Error(error.message)
  return data.deal_stages.name
}

/** Returns the column of a stage on the board. */
export function columnOf(page: Page, stage: string): Locator {
  return page.getByRole('region', { name: stage, exact: true })
}

/** Returns the cards whose text contains `deal`, on the page or in one column. */
export function cardsOf(within: Page | Locator, deal: string): Locator {
  return within.locator('[data-deal]').filter({ hasText: deal })
}

async function insert(person: Person, table: string, row: Record<string, unknown>): Promise<string> {
  const { data, error } = await person.client
    .from(table)
    .insert({ brand_id: person.brandId, ...row })
    .select('id')
    .single()
  if (error) throw new Error(`${table}: ${error.message}`)
  return data.id
}
