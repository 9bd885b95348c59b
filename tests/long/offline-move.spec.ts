import { test } from '../harness/browser.ts'
import { offlineRound } from '../harness/offline-round.ts'

for (const round of [1, 2, 3, 4, 5]) {
  test(`a move made offline, its answer lost, the browser killed, opened again in two tabs: applied exactly once (round ${round})`, async ({
    server,
  }) => {
    test.setTimeout(120_000)
    await offlineRound(server)
  })
}
