import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type Acme, openOnNewDevice, openAcme } from './acme.ts'
import { query } from './query.ts'
import { startTestServer, type TestServer } from './server.ts'
import { verifyAction } from './verify-action.ts'

/** The server of the current test file. */
export let server: TestServer

/** Ana, signed in, with her own brand open. Each test gets a new person and a new brand. */
export let acme: Acme

/**
 * Call it once, at the top of a file. It opens `server` and `acme` for the tests and closes them afterwards. `verifies`: after each test, checks
 * that the device has the same rows as a new device. Set it to false if tests add rows to the device that the server does not have.
 */
export function setUpAcme({ verifies = true } = {}): void {
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    acme = await openAcme(server)
  })
  afterEach(async () => {
    try {
      if (verifies) await verifyAction(server, acme)
    } finally {
      acme.browser.close()
    }
  })
}

/** Sets `acme` to a new device of Ana, without local data. */
export async function replaceDevice(): Promise<void> {
  acme = await openOnNewDevice(server, acme)
}

/** Runs a query on the server's database as the owner role, and returns its rows. */
export function inDatabase<Row = Record<string, unknown>>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return query<Row>(server, sql, ...values)
}
