import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { signUpPerson } from '../harness/client.ts'
import { type TestDatabase, testDatabase } from '../harness/database.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer
let database: TestDatabase
let owner: TestDatabase['owner']
beforeAll(async () => {
  database = await testDatabase()
  owner = database.owner
  await owner.query(`alter table public.deals add column outside_id bigint, add column outside_sum numeric;
    grant select (outside_id, outside_sum) on public.deals to authenticated`)
  server = await startTestServer({ databaseUrl: database.url })
})
afterAll(async () => {
  await server.stop()
  await database.drop()
})

/** Two integers that are the same JavaScript number, because they are above 2^53. */
const [smaller, larger] = ['9007199254740992', '9007199254740993']

it.each([
  ['outside_id', 'eq'],
  ['outside_id', 'gt'],
  ['outside_sum', 'eq'],
])(
  'a subscription with a filter %s=%s of an integer above 2^53 receives no row with another integer',
  async (column, operator) => {
    const { client } = await signUpPerson(server, `${randomUUID()}@example.org`)
    const brand = randomUUID()
    expect((await client.from('brands').insert({ id: brand, name: brand, slug: brand })).error).toBeNull()
    const stage = (await client.from('deal_stages').select('id').eq('brand_id', brand).limit(1).single()).data?.id
    const receivedEvents: unknown[] = []
    const value = operator === 'gt' ? smaller : larger
    const channel = client.channel('long numbers')
    const ready = new Promise<{ status: string }>((resolve) => void channel.on('system', {}, resolve))
    const binding = {
      event: 'INSERT',
      schema: 'public',
      table: 'deals',
      filter: `${column}=${operator}.${value}`,
    } as const
    channel.on('postgres_changes', binding, (payload) => void receivedEvents.push(payload.new.name))
    channel.subscribe()
    expect(await ready).toMatchObject({ status: 'ok' })
    for (const number of [smaller, larger])
      await owner.query(
        `insert into public.deals (brand_id, name, stage_id, ${column}) values ($1, $2, $3, $2::text::numeric)`,
        [brand, number, stage],
      )
    await vi.waitFor(() => expect(receivedEvents).toContain(larger), { timeout: 5_000 })
    expect(receivedEvents).toEqual([larger])
    await client.removeAllChannels()
    void client.realtime.disconnect()
  },
)
