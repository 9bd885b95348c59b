import { test } from '../harness/browser.ts'
import { offlineRound } from '../harness/offline-round.ts'

for (const round of [1, 2, 3, 4, 5]) {
  test(`an offline move whose response is lost, after a killed browser and in two tabs, is applied exactly once (round ${round})`, async ({
    server,
  }) => {
    test.setTimeout(120_000)
    await offlineRound(server)
  })
}
