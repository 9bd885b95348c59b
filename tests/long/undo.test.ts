import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import { type Acme, openAcme } from '../harness/acme.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { playUndoRound, undoRound } from '../harness/undo-round.ts'

let server: TestServer
let acme: Acme

beforeAll(async () => {
  server = await startTestServer()
  acme = await openAcme(server)
})
afterAll(async () => {
  acme.browser.close()
  await server.stop()
})

test('delete and undo restore everything: 200 rounds of linked records, with other edits, in any order, offline and online', async () => {
  await fc.assert(
    fc.asyncProperty(undoRound, (round) => playUndoRound(server, acme, round)),
    { numRuns: Number(process.env.ROUNDS ?? 200), endOnFailure: true },
  )
}, 600_000)
