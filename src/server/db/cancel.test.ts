import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Client } from 'pg'
import { expect, test, vi } from 'vitest'
import { testDatabase } from '#tests/harness/database.ts'
import { cancelRunningStatement } from './cancel.ts'
import { externalConnection } from './external-database.ts'

test('a cancel request ends the running statement; its result is true, because PostgreSQL has received it', async () => {
  const database = await testDatabase({ empty: true })
  const client = new Client(externalConnection(database.url))
  await client.connect()
  const running = client.query('select pg_sleep(60)').catch((error: { code: string }) => error.code)
  // A cancel request that arrives before the statement runs has no effect.
  const asleep = `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
  await vi.waitFor(async () => expect((await database.owner.query(asleep)).rowCount).toBe(1), { timeout: 8_000 })
  expect(await cancelRunningStatement(client)).toBe(true)
  expect(await running).toBe('57014')
  await client.end()
  await database.drop()
})

test('the result of a cancel request is false if the server does not respond', async () => {
  const frozen = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
  await once(frozen, 'listening')
  const { port } = frozen.address() as AddressInfo
  expect(await cancelRunningStatement(new Client({ host: '127.0.0.1', port }))).toBe(false)
  frozen.close()
})

test('the result of a cancel request is false if no server listens on the port', async () => {
  expect(await cancelRunningStatement(new Client({ host: '127.0.0.1', port: 1 }))).toBe(false)
})
