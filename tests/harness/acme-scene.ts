import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type Acme, onNewDevice, openAcme } from './acme.ts'
import { query } from './query.ts'
import { startTestServer, type TestServer } from './server.ts'

/** The server of this file's tests. */
export let server: TestServer

/** Ana at work in a brand of her own: another one for each test. */
export let acme: Acme

/** Call it once, at the top of a file: `server` and `acme` are there for its tests and end with them. */
export function playInAcme(): void {
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    acme = await openAcme(server)
  })
  afterEach(() => acme.browser.close())
}

/** Ana goes on at a device that has seen nothing yet; from now on that one is `acme`. */
export async function changeDevice(): Promise<void> {
  acme = await onNewDevice(server, acme)
}

/** Rows of the database itself. */
export function inDatabase<Row = Record<string, unknown>>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return query<Row>(server, sql, ...values)
}
