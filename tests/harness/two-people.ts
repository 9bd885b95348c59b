import { expect, vi } from 'vitest'
import type { TableName } from '#web/data/server/tables.ts'
import { type Acme, dataOf, makeDeal, openAcme, untilPulled } from './acme.ts'
import { testClient } from './client.ts'
import { fakeBrowser } from './fake-browser.ts'
import { query } from './query.ts'
import type { TestServer } from './server.ts'

export type Noun = 'deals' | 'contacts' | 'companies' | 'tasks'

export type Row = Record<string, unknown>

/** Ana and her colleague Bo, both in one brand, each with a device. A test can interrupt Ana's network. */
export interface TwoPeople {
  server: TestServer
  ana: Acme
  bo: Pick<Acme, 'browser' | 'tab'>
  boId: string
  /** Texts of the notices that Ana's device has shown. */
  notices: string[]
}

/** Signs Ana and Bo up, and waits until both have opened Ana's brand. */
export async function openTwoPeople(server: TestServer): Promise<TwoPeople> {
  const ana = await openAcme(server)
  const email = `bo-${Date.now()}@acme.test`
  const client = testClient(server)
  const { data } = await client.auth.signUp({ email, password: 'correct horse' })
  const boId = data.user?.id ?? expect.fail('Bo was not signed up')
  const browser = fakeBrowser(server)
  const bo = { browser, tab: await browser.openTab() }
  await query(
    server,
    `insert into public.memberships (user_id, brand_id, role, display_name) values ($1, $2, 'member', 'Bo')`,
    boId,
    ana.brandId,
  )
  expect(await bo.tab.signIn(bo.tab.device, email, 'correct horse')).toMatchObject({ ok: true })
  await bo.tab.chooseBrand(bo.tab.device, ana.brandId)
  await untilPulled(bo.tab)
  await ana.tab.requestPull(ana.tab.device)
  const notices: string[] = []
  ana.tab.onNotice(ana.tab.device, ({ text }) => notices.push(text))
  return { server, ana, bo, boId, notices }
}

/** Creates a record on Ana's device. Waits until the server and Bo's device have it. Returns its id. */
export async function makeRecord(people: TwoPeople, noun: Noun): Promise<string> {
  const id = await createRecord(people.ana, noun)
  await vi.waitFor(async () => expect(await seenByBo(people, noun, id)).toMatchObject({ id }), {
    timeout: 10_000,
    interval: 20,
  })
  return id
}

let recordCount = 0

async function createRecord({ tab }: Acme, noun: Noun): Promise<string> {
  recordCount += 1
  const emptyFields = { domain: null, phone: null, website: null, notes: null }
  const unlinked = { contact_id: null, deal_id: null }
  const outcome = await {
    deals: async () => ({ status: 'saved' as const, id: await makeDeal(tab, { name: 'Roof' }) }),
    contacts: () =>
      tab.addContact(tab.device, {
        email: `owen${recordCount}@davies.test`,
        first_name: 'Owen',
        last_name: null,
        company: null,
      }),
    companies: () => tab.addCompany(tab.device, { name: 'Slate', ...emptyFields }),
    tasks: () => tab.createTask(tab.device, { title: 'Call', due_at: null, priority: 'normal', ...unlinked }),
  }[noun]()
  return outcome.status === 'saved' ? outcome.id : expect.fail(`${noun}: ${outcome.status}`)
}

/** Waits until the database and both devices have these fields of a record. Null: waits until the record is deleted. */
export async function untilAllShow(people: TwoPeople, noun: Noun, id: string, fields: Row | null): Promise<void> {
  const expectRow = (row: unknown) => (fields ? expect(row).toMatchObject(fields) : expect(row ?? null).toBeNull())
  await vi.waitFor(
    async () => {
      expectRow(
        (await query(people.server, `select to_jsonb(r) as row from public.${noun} r where id = $1`, id))[0]?.row,
      )
      await people.ana.tab.requestPull(people.ana.tab.device)
      expectRow(seenByAna(people, noun, id))
      expectRow(await seenByBo(people, noun, id))
    },
    { timeout: 10_000, interval: 30 },
  )
}

/** Returns a record as Ana's screens show it. */
export function seenByAna({ ana }: TwoPeople, noun: TableName, id: string): Row | undefined {
  return dataOf(ana.tab).tables[noun].get(id) as Row | undefined
}

/** Returns a record as Bo's screens show it after a pull. */
async function seenByBo({ bo }: TwoPeople, noun: TableName, id: string): Promise<Row | undefined> {
  await bo.tab.requestPull(bo.tab.device)
  return dataOf(bo.tab).tables[noun].get(id) as Row | undefined
}

/** Returns the operations of a record in Ana's outbox. */
export function queueOf({ ana }: TwoPeople, id: string) {
  return ana.tab
    .queue(ana.tab.device)
    .get()
    .operations.filter((operation) => (operation.rowIds ?? [operation.rowId]).includes(id))
}

/** Waits until Ana's outbox has exactly one operation of the record, in the given state. Returns it. */
export function untilQueued(people: TwoPeople, id: string, state: string) {
  return vi.waitFor(
    () => {
      const [operation, ...more] = queueOf(people, id)
      expect(more).toEqual([])
      expect(operation?.state).toBe(state)
      return operation ?? expect.fail('nothing is queued')
    },
    { timeout: 10_000, interval: 20 },
  )
}
