import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Client } from 'pg'
import { expect, test, vi } from 'vitest'
import { testDatabase } from '#tests/harness/database.ts'
import { cancelRunningStatement } from './cancel.ts'
import { externalConnection } from './external-database.ts'

test('a cancel request ends the running statement, and resolves with true, because PostgreSQL has received the request', async () => {
  const database = await testDatabase({ empty: true })
  const client = new Client(externalConnection(database.url))
  await client.connect()
  const errorCode = client.query('select pg_sleep(60)').catch((error: { code: string }) => error.code)
  // A cancel request that arrives before the statement runs has no effect.
  const sleepingQuery = `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
  await vi.waitFor(async () => expect((await database.owner.query(sleepingQuery)).rowCount).toBe(1), { timeout: 8_000 })
  expect(await cancelRunningStatement(client)).toBe(true)
  expect(await errorCode).toBe('57014')
  await client.end()
  await database.drop()
})

test('a cancel request resolves with false if the server does not respond', async () => {
  const silentServer = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
  await once(silentServer, 'listening')
  const { port } = silentServer.address() as AddressInfo
  expect(await cancelRunningStatement(new Client({ host: '127.0.0.1', port }))).toBe(false)
  silentServer.close()
})

test('a cancel request resolves with false if no server listens on the port', async () => {
  expect(await cancelRunningStatement(new Client({ host: '127.0.0.1', port: 1 }))).toBe(false)
})
