import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { Page } from '@playwright/test'
import { createPerson, newEmail, type Person } from './browser.ts'
import type { TestServer } from './server.ts'

/** The two members of the brand in which a journey (the edits of `journeySteps`) is made: the person who signs in on the screen, and a colleague. */
export interface JourneyBrand {
  person: Person
  colleague: Person
  colleagueName: string
}

type Row = Record<string, unknown>

const tables = ['companies', 'contacts', 'deals', 'tasks'] as const

/** Creates the brand with the records that the journey's steps change. */
export async function seedJourney(server: TestServer): Promise<JourneyBrand> {
  const person = await createPerson(server, { brand: 'Journey' })
  const colleague = await createPerson(server, { name: newEmail('bo').split('@')[0] })
  const { client, brandId } = person
  const invitation = { p_brand_id: brandId, p_email: colleague.email, p_role: 'member' }
  expect((await client.rpc('add_brand_member_by_email', invitation)).error).toBeNull()
  const { data: stage } = await client
    .from('deal_stages')
    .select('id')
    .eq('brand_id', brandId)
    .eq('position', 1)
    .single()
  const insertRow = async (table: string, row: Row) => {
    const id = randomUUID()
    expect((await client.from(table).insert({ id, brand_id: brandId, ...row })).error).toBeNull()
    return id
  }
  const company_id = await insertRow('companies', { name: 'Copperline' })
  const contact_id = await insertRow('contacts', { email: 'mei@copperline.example', first_name: 'Mei', company_id })
  const piaId = await insertRow('contacts', { email: 'pia@slate.example', first_name: 'Pia' })
  await insertRow('tasks', { title: 'Send samples', contact_id: piaId })
  for (const name of ['Acme renewal', 'Old quote']) await insertRow('deals', { name, stage_id: stage?.id, contact_id })
  for (const title of ['Send the drawings', 'Call Margaret', 'Order cups'])
    await insertRow('tasks', { title, contact_id })
  return { person, colleague, colleagueName: colleague.email.split('@')[0] ?? '' }
}

/** Adds a contact as the colleague, with the e-mail address of a contact that the offline person will also add. */
export async function colleagueAddsBo({ person, colleague }: JourneyBrand): Promise<void> {
  const contact = { brand_id: person.brandId, email: 'bo@copperline.example', last_name: 'L.' }
  expect((await colleague.client.from('contacts').insert(contact)).error).toBeNull()
}

/**
 * Expects that the server has applied every edit of the journey exactly once: compares versions, stage changes and idempotency keys.
 * `operationIds`: the ids of all operations, which are their idempotency keys. `undone`: the records that were deleted and restored.
 */
export async function expectAppliedOnce(
  server: TestServer,
  brand: JourneyBrand,
  operationIds: readonly string[],
  undone: ReadonlySet<string>,
): Promise<void> {
  const { companies, contacts, deals, tasks } = await rowsOnServer(brand)
  const idOf = (rows: readonly Row[], field: string, value: string) => rows.find((row) => row[field] === value)?.id
  const [slate, ifor, mei, bo, pia = null] = [
    idOf(companies, 'name', 'Slate Works'),
    idOf(contacts, 'email', 'ifor@slate.example'),
    idOf(contacts, 'email', 'mei@copperline.example'),
    idOf(contacts, 'last_name', 'Lund'),
    idOf(contacts, 'first_name', 'Pia'),
  ]
  const depot = idOf(deals, 'name', 'Slate depot')
  const owner_id = brand.colleague.userId
  expect(sorted(companies, 'name')).toMatchObject([
    { name: 'Copperline', website: 'https://copperline.example', version: 2 },
    { name: 'Slate Works', owner_id, version: 2 },
  ])
  expect(sorted(contacts, 'first_name')).toMatchObject([
    { email: 'bo@copperline.example', first_name: 'Bo', last_name: 'Lund', phone: '+44 20 7946 0611', version: 3 },
    { email: 'ifor@slate.example', first_name: 'Ifor', company_id: slate, version: 1 },
    { email: 'mei@copperline.example', title: 'Head of Product', version: 2 },
    ...(undone.has('Pia') ? [{ first_name: 'Pia', version: 2 }] : []),
  ])
  expect(sorted(deals, 'name')).toMatchObject([
    { name: 'Acme renewal', owner_id, contact_id: mei, version: 3 },
    { name: 'Copper pipes', contact_id: bo, amount: 900, version: 1 },
    { name: 'Slate depot', contact_id: ifor, company_id: slate, version: 2 },
  ])
  expect(sorted(tasks, 'title')).toMatchObject([
    { title: 'Call Margaret', assignee_id: owner_id, version: 2 },
    { title: 'Measure the depot', contact_id: ifor, deal_id: depot, status: 'done', version: 2 },
    ...(undone.has('Order cups') ? [{ title: 'Order cups', contact_id: mei, status: 'open', version: 2 }] : []),
    // The contact of this task was deleted and restored.
    { title: 'Send samples', contact_id: pia, version: pia ? 3 : 2 },
    { title: 'Send the drawings', status: 'done', version: 2 },
  ])
  const queryRows = async (sql: string) =>
    (
      await server.database?.owner.query<Row>(sql, [
        sql.includes('applied_keys') ? brand.person.userId : brand.person.brandId,
      ])
    )?.rows
  expect(
    await queryRows(
      `select d.name, s.name as stage from public.deal_stage_changes c join public.deals d on d.id = c.deal_id
       join public.deal_stages s on s.id = c.to_stage_id
       where c.brand_id = $1 and c.from_stage_id is not null order by 1, 2`,
    ),
  ).toEqual(['Acme renewal', 'Slate depot'].map((name) => ({ name, stage: 'Qualified' })))
  const keys = await queryRows('select distinct key from private.applied_keys where user_id = $1')
  expect(keys?.map(({ key }) => key).sort()).toEqual([...operationIds].sort())
}

/** Expects that the browser's rows of the brand equal the server's, field by field. */
export async function expectSameRows(page: Page, brand: JourneyBrand): Promise<void> {
  const rows = await rowsOnServer(brand)
  const { userId, brandId } = brand.person
  const store = { name: `banyan-rows-${userId}`, brandId, tables: [...tables] }
  const findDifferences = async () => differences(await page.evaluate(readRows, store), rows)
  await expect.poll(findDifferences, { timeout: 10_000 }).toEqual([])
}

/** Returns the ids of the browser's operations that the server has not confirmed, in order of sending. */
export async function waitingOperations(page: Page, { person }: JourneyBrand): Promise<string[]> {
  return page.evaluate(readOperations, `banyan-outbox-${person.userId}`)
}

async function rowsOnServer({ person }: JourneyBrand): Promise<Record<(typeof tables)[number], Row[]>> {
  const tableEntries = tables.map(async (table) => {
    const { data, error } = await person.client.from(table).select('*').eq('brand_id', person.brandId)
    expect(error).toBeNull()
    return [table, data ?? []]
  })
  return Object.fromEntries(await Promise.all(tableEntries))
}

function sorted(rows: readonly Row[], field: string): Row[] {
  return rows.toSorted((a, b) => (String(a[field]) < String(b[field]) ? -1 : 1))
}

/** A column that only the database uses: `pull` omits it, a row fetched through REST contains it. */
const columnOutsidePull = 'email_norm'

/**
 * Returns each field whose values differ, as 'deals Acme renewal version 2 3': table, record, field, and both values. Times are equal
 * if they are the same point in time. Lists and objects (tags, custom fields) are equal if their content is equal.
 */
function differences(here: Record<string, readonly Row[]>, there: Record<string, readonly Row[]>): string[] {
  const comparableValue = (value: unknown) =>
    /^\d{4}-\d\d-\d\dT/.test(String(value)) ? Date.parse(String(value)) : (value ?? null)
  return tables.flatMap((table) => {
    const [rowsHere, rowsThere] = [here, there].map((rows) => new Map(rows[table]?.map((row) => [row.id, row])))
    return [...new Set([...(rowsHere?.keys() ?? []), ...(rowsThere?.keys() ?? [])])].flatMap((id) => {
      const [rowHere = {}, rowThere = {}] = [rowsHere?.get(id), rowsThere?.get(id)]
      const fields = Object.keys({ ...rowHere, ...rowThere }).filter(
        (field) =>
          field !== columnOutsidePull &&
          !isDeepStrictEqual(comparableValue(rowHere[field]), comparableValue(rowThere[field])),
      )
      const name = rowThere.name ?? rowThere.title ?? rowThere.email ?? id
      return fields.map((field) => [table, name, field, asText(rowHere[field]), asText(rowThere[field])].join(' '))
    })
  })
}

const asText = (value: unknown) => JSON.stringify(value ?? null)

/** Runs in the page, so it uses nothing from outside of the function. */
async function readRows({ name, brandId, tables }: { name: string; brandId: string; tables: string[] }) {
  const resultOf = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed.')))
    })
  const database = await resultOf(indexedDB.open(name))
  const content: Record<string, Record<string, unknown>[]> = {}
  for (const table of tables) {
    const buckets: { brand_id: string; rows: Record<string, unknown>[] }[] = await resultOf(
      database.transaction(table).objectStore(table).getAll(),
    )
    content[table] = buckets.filter((bucket) => bucket.brand_id === brandId).flatMap(({ rows }) => rows)
  }
  database.close()
  return content
}

async function readOperations(name: string): Promise<string[]> {
  const resultOf = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed.')))
    })
  const database = await resultOf(indexedDB.open(name))
  const operations: { id: string }[] = await resultOf(
    database.transaction('operations').objectStore('operations').getAll(),
  )
  database.close()
  return operations.map(({ id }) => id)
}
