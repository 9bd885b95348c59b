import { test } from '../harness/browser.ts'
import { offlineRound } from '../harness/offline-round.ts'

test('an offline move is applied exactly once if its response is lost, the browser is killed, and two tabs then open the app', async ({
  server,
}) => {
  test.setTimeout(120_000)
  await offlineRound(server)
})
