import { afterAll, beforeAll, expect, test } from 'vitest'
import { offlineRound } from '../harness/offline-round.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ webRoot: process.env.BANYAN_WEB_ROOT ?? 'dist/web' })
})
afterAll(() => server.stop())

test('offline move, lost answer, killed browser, two tabs: applied exactly once, 20 of 20', async () => {
  let passed = 0
  for (let round = 0; round < 20; round += 1) {
    await offlineRound(server)
    passed += 1
  }
  expect(passed).toBe(20)
})
