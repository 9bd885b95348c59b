import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, vi } from 'vitest'
import { type Acme, goOnline, dataOf, waitOptions, stagesOf, untilSent } from './acme.ts'
import type { TestServer } from './server.ts'

const tables = ['companies', 'contacts', 'deals', 'tasks'] as const
type Table = (typeof tables)[number]

/** The link columns of each table. */
const linkColumns: Record<Table, Record<string, Table>> = {
  companies: {},
  contacts: { company_id: 'companies' },
  deals: { contact_id: 'contacts', company_id: 'companies' },
  tasks: { contact_id: 'contacts', deal_id: 'deals' },
}

const anyNumber = fc.nat({ max: 999 })
const anyText = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter((word) => word.trim() !== '')

/** Generates records to create. A link is the index of a record of the linked table, modulo the number of records of that table. */
const anyRecords = fc.record({
  companies: fc.array(fc.record({ name: anyText }), { minLength: 1, maxLength: 3 }),
  contacts: fc.array(fc.record({ name: anyText, company: fc.option(anyNumber) }), { minLength: 1, maxLength: 4 }),
  deals: fc.array(
    fc.record({
      name: anyText,
      stage: anyNumber,
      amount: anyNumber,
      currency: fc.constantFrom('GBP', 'EUR', 'JPY'),
      contact: fc.option(anyNumber),
      company: fc.option(anyNumber),
      isMine: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  tasks: fc.array(
    fc.record({ name: anyText, isDone: fc.boolean(), contact: fc.option(anyNumber), deal: fc.option(anyNumber) }),
    { minLength: 1, maxLength: 4 },
  ),
})

const anyStep = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      table: fc.constantFrom(...tables),
      indexes: fc.array(anyNumber, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('rename' as const),
      table: fc.constantFrom(...tables),
      index: anyNumber,
      name: anyText,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('link' as const),
      table: fc.constantFrom('contacts' as const, 'deals' as const, 'tasks' as const),
      index: anyNumber,
      column: anyNumber,
      to: anyNumber,
    }),
  },
)

/** Generates a round: records, edits and deletes, the order of the undos, and whether the device is offline or pulls between the steps. */
export const undoRound = fc.record({
  records: anyRecords,
  steps: fc.array(anyStep, { minLength: 1, maxLength: 6 }),
  order: fc.array(anyNumber, { minLength: 6, maxLength: 6 }),
  isOffline: fc.boolean(),
  pullsBetween: fc.boolean(),
})

type Round = typeof undoRound extends fc.Arbitrary<infer T> ? T : never
type Content = Record<Table, Map<string, Record<string, unknown>>>

/** Runs a round with the real outbox. Throws unless all rows are, in the end, as if no record had been deleted. */
export async function playUndoRound(server: TestServer, acme: Acme, round: Round): Promise<void> {
  const { tab } = acme
  const database = server.database?.owner ?? expect.fail('no database')
  await database.query('delete from public.tasks where brand_id = $1', [acme.brandId])
  for (const table of ['deals', 'contacts', 'companies'])
    await database.query(`delete from public.${table} where brand_id = $1`, [acme.brandId])
  await makeRecords(server, acme, round)
  await tab.requestPull(tab.device)
  const expectedContent = await contentOnServer(server, acme)
  if (round.isOffline) {
    acme.browser.network.offline = true
    tab.reachable(tab.device).set(false)
  }
  const deletes: { table: Table; ids: string[] }[] = []
  for (const plannedStep of round.steps) {
    const rows = dataOf(tab).tables[plannedStep.table]
    const visibleIds = [...rows.values()].map(({ id }) => id).sort()
    const idAt = (index: number): string | undefined => visibleIds[index % visibleIds.length]
    if (plannedStep.kind === 'delete') {
      const ids = [...new Set(plannedStep.indexes.map(idAt))].filter((id) => id !== undefined)
      if (ids.length === 0) continue
      deletes.push({ table: plannedStep.table, ids })
      await throwIfRefused(tab.deleteRecords(tab.device, plannedStep.table, ids))
    } else {
      const id = idAt(plannedStep.index)
      const patch =
        plannedStep.kind === 'rename' ? renamePatch(plannedStep.table, plannedStep.name) : linkPatch(acme, plannedStep)
      if (!id || !patch) continue
      await throwIfRefused(tab.updateRecord(tab.device, plannedStep.table, id, patch))
      Object.assign(expectedContent[plannedStep.table].get(id) ?? {}, trimValues(patch))
    }
    if (round.pullsBetween && !round.isOffline) await tab.requestPull(tab.device)
  }
  for (const [turn, index] of round.order.entries()) {
    const [deletion] = deletes.splice(index % Math.max(deletes.length, 1), 1)
    if (!deletion) break
    if (turn === 1 && round.isOffline) await goOnline(acme)
    await throwIfRefused(tab.restoreRecords(tab.device, deletion.table, deletion.ids))
  }
  await goOnline(acme)
  await untilSent(tab)
  expect(tab.queue(tab.device).get().operations).toEqual([])
  expect(comparableRows(await contentOnServer(server, acme))).toEqual(comparableRows(expectedContent))
  await tab.requestPull(tab.device)
  await vi.waitFor(
    () => expect(comparableRows(contentOnDevice(acme))).toEqual(comparableRows(expectedContent)),
    waitOptions,
  )
}

async function throwIfRefused(outcome: Promise<{ status: string; message?: string }>): Promise<void> {
  const { status, message } = await outcome
  if (status === 'refused') throw new Error(message)
}

function renamePatch(table: Table, name: string): Record<string, string> {
  return table === 'tasks' ? { title: name } : table === 'contacts' ? { last_name: name } : { name }
}

/** Returns an edit that links to an existing record. Undefined if there is none. */
function linkPatch(
  acme: Acme,
  plannedLink: { table: Table; column: number; to: number },
): Record<string, string> | undefined {
  const columns = Object.entries(linkColumns[plannedLink.table])
  const [column, linkedTable] = columns[plannedLink.column % columns.length] ?? expect.fail('no column')
  const ids = [...dataOf(acme.tab).tables[linkedTable].values()].map(({ id }) => id).sort()
  const linkedId = ids[plannedLink.to % ids.length]
  return linkedId === undefined ? undefined : { [column]: linkedId }
}

function trimValues(patch: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(patch).map(([field, value]) => [field, value.trim()]))
}

async function makeRecords(server: TestServer, acme: Acme, { records }: Round): Promise<void> {
  const database = server.database?.owner ?? expect.fail('no database')
  const createdIds: Record<Table, string[]> = { companies: [], contacts: [], deals: [], tasks: [] }
  // Ids are in the order of the records, so that indexes mean the same records in each run of a round. No two tables share an id, as with
  // the random ids of the app: the outbox and the pull find rows by their id alone.
  const idPrefix = randomUUID().slice(0, 24)
  const pick = (table: Table, index: number | null) =>
    index === null ? null : createdIds[table][index % createdIds[table].length]
  const insertRow = async (table: Table, row: Record<string, unknown>) => {
    const id = idPrefix + tables.indexOf(table) + String(createdIds[table].length).padStart(11, '0')
    const completeRow = { brand_id: acme.brandId, id, ...row }
    const columns = Object.keys(completeRow).join()
    const indexes = Object.keys(completeRow).map((_, index) => `$${index + 1}`)
    await database.query(
      `insert into public.${table} (${columns}) values (${indexes.join()})`,
      Object.values(completeRow),
    )
    createdIds[table].push(id)
  }
  const stages = stagesOf(acme.tab)
  for (const { name } of records.companies) await insertRow('companies', { name, notes: name, owner_id: acme.userId })
  for (const [index, { name, company }] of records.contacts.entries())
    await insertRow('contacts', {
      last_name: name,
      email: `c${index}@acme.test`,
      company_id: pick('companies', company),
    })
  for (const { name, stage, amount, currency, contact, company, isMine } of records.deals)
    await insertRow('deals', {
      name,
      amount,
      amount_currency: currency,
      stage_id: stages[stage % stages.length]?.id,
      contact_id: pick('contacts', contact),
      company_id: pick('companies', company),
      owner_id: isMine ? acme.userId : null,
    })
  for (const { name, isDone, contact, deal } of records.tasks)
    await insertRow('tasks', {
      title: name,
      status: isDone ? 'done' : 'open',
      contact_id: pick('contacts', contact),
      deal_id: pick('deals', deal),
    })
}

/** Columns that are not compared: every write changes them, or (`email_norm`) a pull leaves the column out. */
const ignoredColumns = ['rev', 'version', 'updated_at', 'updated_by', 'email_norm']

async function contentOnServer(server: TestServer, acme: Acme): Promise<Content> {
  const content = {} as Content
  for (const table of tables) {
    const sql = `select to_jsonb(t) as row from public.${table} t where brand_id = $1`
    const { rows } =
      (await server.database?.owner.query<{ row: Record<string, unknown> }>(sql, [acme.brandId])) ??
      expect.fail('no database')
    content[table] = new Map(rows.map(({ row }) => [String(row.id), row]))
  }
  return content
}

function contentOnDevice(acme: Acme): Content {
  const content = {} as Content
  for (const table of tables) {
    const rows = [...dataOf(acme.tab).tables[table].values()] as unknown as Record<string, unknown>[]
    content[table] = new Map(rows.map((row) => [String(row.id), row]))
  }
  return content
}

function comparableRows(content: Content): unknown {
  return tables.map((table) =>
    [...content[table].values()]
      .map((row) => Object.fromEntries(Object.entries(row).filter(([field]) => !ignoredColumns.includes(field))))
      .sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1)),
  )
}
