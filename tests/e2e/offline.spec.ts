import { test } from '../harness/browser.ts'
import { offlineRound } from '../harness/offline-round.ts'

test('an offline move whose response is lost, after a killed browser and in two tabs, is applied exactly once', async ({
  server,
}) => {
  test.setTimeout(120_000)
  await offlineRound(server)
})
