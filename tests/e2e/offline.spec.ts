import { test } from '../harness/browser.ts'
import { offlineRound } from '../harness/offline-round.ts'

test('a move made offline, its answer lost, the browser killed, opened again in two tabs: applied exactly once', async ({
  server,
}) => {
  test.setTimeout(120_000)
  await offlineRound(server)
})
