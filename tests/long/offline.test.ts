import { afterAll, beforeAll, test } from 'vitest'
import { journeyRound } from '../harness/journey-round.ts'
import { journeySteps } from '../harness/journey-steps.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

const roundCount = 20

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ webRoot: process.env.BANYAN_WEB_ROOT ?? 'dist/web' })
})
afterAll(() => server.stop())

for (let round = 0; round < roundCount; round += 1) {
  const points = {
    // Each round kills the browser at a different step of the 21 (8 and 21 have no common divisor), and at a random time in that step.
    step: (round * 8) % journeySteps.length,
    after: Math.round(Math.random() * 1500),
    request: 1 + Math.floor(Math.random() * (journeySteps.length - 1)),
    at: (['before', 'applied', Math.round(Math.random() * 30)] as const)[round % 3] ?? 0,
  }
  test(`after a day offline with all kinds of records, killed twice, every edit is applied exactly once (${round + 1}: ${JSON.stringify(points)})`, () =>
    journeyRound(server, points))
}
