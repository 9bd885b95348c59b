import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { dataOf, goOffline, goOnline, untilSent } from '../harness/acme.ts'
import { query } from '../harness/query.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { untilAllShow, openTwoPeople, seenByAna, type TwoPeople } from '../harness/two-people.ts'
import { seriesCode } from '#web/data/changes/series-code.ts'
import { nextTaskId } from '#web/lib/series.ts'

/** Makes the loading of the code for repeating tasks fail. */
let failLoading: () => void

let server: TestServer
let people: TwoPeople
beforeAll(async () => {
  server = await startTestServer()
  people = await openTwoPeople(server)
  const loadingCode = new Promise<never>((_, reject) => {
    failLoading = () => reject(new Error('no network'))
  })
  // On Ana's device the code for repeating tasks is still loading.
  Object.assign(seriesCode(people.ana.tab.device), { load: () => loadingCode, loaded: undefined })
})
afterAll(async () => {
  people.bo.browser.close()
  people.ana.browser.close()
  await server.stop()
})

const dueAt = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 86_400_000).toISOString()
async function makeSeries(): Promise<string> {
  const { tab } = people.ana
  const task = { title: 'Call Jo', due_at: dueAt, priority: 'normal' as const, contact_id: null, deal_id: null }
  const outcome = await tab.createTask(tab.device, { ...task, repeats: 'weekly 3 Europe/London' })
  if (outcome.status !== 'saved') return expect.fail(outcome.status)
  await untilAllShow(people, 'tasks', outcome.id, { title: 'Call Jo' })
  return outcome.id
}
const taskOnServer = async (id: string) =>
  (await query(server, 'select status, title from public.tasks where id = $1', id))[0]

test('edits of a repeating task are shown at once and keep their order while the code for series loads; nothing is lost if it cannot be loaded', async () => {
  const id = await makeSeries()
  const { tab } = people.ana
  goOffline(people.ana)
  const edits = [
    tab.setTaskStatus(tab.device, id, 'done'),
    tab.updateRecord(tab.device, 'tasks', id, { title: 'Call Ann' }),
    tab.setTaskStatus(tab.device, id, 'open'),
    tab.setTaskStatus(tab.device, id, 'done'),
  ]
  expect(seenByAna(people, 'tasks', id)).toMatchObject({ status: 'done', title: 'Call Ann' })
  const queuedValues = () =>
    tab
      .queue(tab.device)
      .get()
      .operations.map(({ values }) => values.status ?? values.title)
  expect(queuedValues()).toEqual(['done', 'Call Ann', 'open', 'done'])
  await vi.waitFor(() => expect(Promise.all(edits)).resolves.toHaveLength(4))
  failLoading()
  await goOnline(people.ana)
  await untilSent(tab)
  await untilAllShow(people, 'tasks', id, { status: 'done', title: 'Call Ann' })
  await untilAllShow(people, 'tasks', nextTaskId(id), { status: 'open', title: 'Call Ann' })
  expect(await taskOnServer(id)).toEqual({ status: 'done', title: 'Call Ann' })
  expect(dataOf(tab).tables.tasks.isWaiting(id)).toBe(false)
})

test('the undo of a completion that was made without the code for series removes the next task', async () => {
  const id = await makeSeries()
  const { tab } = people.ana
  void tab.setTaskStatus(tab.device, id, 'done')
  const undone = tab.undoStep(tab.device)
  await undone?.outcome
  await untilSent(tab)
  await untilAllShow(people, 'tasks', id, { status: 'open' })
  await untilAllShow(people, 'tasks', nextTaskId(id), null)
})
