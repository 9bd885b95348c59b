import { test } from '../harness/browser.ts'
import { offlineRound } from '../harness/offline-round.ts'

for (const round of [1, 2, 3, 4, 5]) {
  test(`an offline move is applied exactly once if its response is lost, the browser is killed, and two tabs then open the app (round ${round})`, async ({
    server,
  }) => {
    test.setTimeout(120_000)
    await offlineRound(server)
  })
}
