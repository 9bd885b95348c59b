import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { goOnline, dataOf, goOffline, untilSent, waitOptions } from '../harness/acme.ts'
import { query } from '../harness/query.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { untilAllShow, openTwoPeople, seenByAna, type TwoPeople } from '../harness/two-people.ts'
import { nextDue, nextTaskId } from '#web/lib/series.ts'

/** These tests repeat tasks offline and on two devices. A device shows the next task of a series before SQL has created that task. */
let server: TestServer
let people: TwoPeople

beforeAll(async () => {
  server = await startTestServer()
  people = await openTwoPeople(server)
})
afterAll(async () => {
  people.bo.browser.close()
  people.ana.browser.close()
  await server.stop()
})

const dueAt = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 86_400_000).toISOString()
const repeats = 'weekly 3 Europe/London'

/** Creates a repeating task that both devices have; returns its id and the id of the next one. */
async function makeSeries(): Promise<{ id: string; next: string }> {
  const { tab } = people.ana
  const task = {
    title: 'Call Jo',
    due_at: dueAt,
    priority: 'normal' as const,
    contact_id: null,
    deal_id: null,
    repeats,
  }
  const outcome = await tab.createTask(tab.device, task)
  if (outcome.status !== 'saved') return expect.fail(outcome.status)
  await untilAllShow(people, 'tasks', outcome.id, { repeats })
  return { id: outcome.id, next: nextTaskId(outcome.id) }
}
const setStatus = ({ tab }: Pick<TwoPeople['ana'], 'tab'>, id: string, status: 'open' | 'done' = 'done') =>
  tab.setTaskStatus(tab.device, id, status)
const tasksOfSeries = (id: string) =>
  query(server, 'select id, status from public.tasks where left(id::text, 24) = $1 order by status', id.slice(0, 24))

test('the next task of a series is shown at once offline; if two people complete a task, the next one is created once', async () => {
  const { id, next } = await makeSeries()
  goOffline(people.ana)
  await setStatus(people.ana, id)
  expect(seenByAna(people, 'tasks', next)).toMatchObject({
    title: 'Call Jo',
    status: 'open',
    due_at: nextDue(dueAt, repeats, Date.now()),
  })
  expect(dataOf(people.ana.tab).tables.tasks.isWaiting(next)).toBe(true)
  expect(await setStatus(people.bo, id)).toEqual({ status: 'saved', id })
  expect(dataOf(people.bo.tab).tables.tasks.get(next)).toMatchObject({ status: 'open', version: 1 })
  await goOnline(people.ana)
  await untilSent(people.ana.tab)
  await untilAllShow(people, 'tasks', next, { status: 'open', version: 1 })
  expect(await tasksOfSeries(id)).toHaveLength(2)
})

test('when the response comes the next task keeps its position and never leaves the screen', async () => {
  const { id, next } = await makeSeries()
  const wasShown: boolean[] = []
  const tasks = dataOf(people.ana.tab).tables.tasks
  const stop = tasks.subscribe(() => wasShown.push(tasks.get(next) !== undefined))
  await setStatus(people.ana, id)
  await vi.waitFor(() => expect(tasks.isWaiting(next)).toBe(false), waitOptions)
  stop()
  expect(wasShown.slice(wasShown.indexOf(true))).not.toContain(false)
  expect(tasks.serverRow(next)).toMatchObject({ version: 1 })
})

test('if a repeating task is completed, undone and redone offline, and its next task is completed too, the server has each task of the series once', async () => {
  const { id, next } = await makeSeries()
  const { tab } = people.ana
  goOffline(people.ana)
  await setStatus(people.ana, id)
  await tab.undoStep(tab.device)?.outcome
  expect(seenByAna(people, 'tasks', next)).toBeUndefined()
  await tab.redoStep(tab.device)?.outcome
  await tab.updateRecord(tab.device, 'tasks', next, { title: 'Call Ann' })
  await setStatus(people.ana, next)
  expect(seenByAna(people, 'tasks', nextTaskId(next))).toMatchObject({ title: 'Call Ann', status: 'open' })
  await goOnline(people.ana)
  await untilSent(people.ana.tab)
  await untilAllShow(people, 'tasks', next, { title: 'Call Ann', status: 'done' })
  await untilAllShow(people, 'tasks', nextTaskId(next), { title: 'Call Ann', status: 'open' })
  expect(await tasksOfSeries(id)).toHaveLength(3)
})

test('a task that is reopened removes the next one on both screens, unless a colleague has changed the next one', async () => {
  const { id, next } = await makeSeries()
  await setStatus(people.ana, id)
  await setStatus(people.ana, id, 'open')
  expect(seenByAna(people, 'tasks', next)).toBeUndefined()
  await untilAllShow(people, 'tasks', next, null)
  await setStatus(people.ana, id)
  await untilAllShow(people, 'tasks', next, { status: 'open' })
  goOffline(people.ana)
  await people.bo.tab.updateRecord(people.bo.tab.device, 'tasks', next, { title: 'Call Bea' })
  await setStatus(people.ana, id, 'open')
  expect(seenByAna(people, 'tasks', next)).toBeUndefined()
  await goOnline(people.ana)
  await untilSent(people.ana.tab)
  await untilAllShow(people, 'tasks', next, { title: 'Call Bea', status: 'open' })
})

test('the discard of a completion whose task a colleague has deleted also discards the edits of the next task', async () => {
  const { id, next } = await makeSeries()
  goOffline(people.ana)
  await setStatus(people.ana, id)
  await people.ana.tab.updateRecord(people.ana.tab.device, 'tasks', next, { title: 'Later' })
  await people.bo.tab.deleteRecords(people.bo.tab.device, 'tasks', [id])
  await goOnline(people.ana)
  const { tab } = people.ana
  const operationsOnDeleted = () =>
    tab
      .queue(tab.device)
      .get()
      .operations.filter(({ state }) => state === 'deleted')
  await vi.waitFor(() => expect(operationsOnDeleted()).toHaveLength(1), waitOptions)
  expect(seenByAna(people, 'tasks', next)).toBeUndefined()
  for (const operation of operationsOnDeleted()) await tab.discardOperation(tab.device, operation.id)
  expect(tab.queue(tab.device).get().operations).toEqual([])
})

test('an edit of a next task that was not created, because a colleague has ended the series, is refused with this reason and can be discarded', async () => {
  const { id, next } = await makeSeries()
  goOffline(people.ana)
  await setStatus(people.ana, id)
  await people.ana.tab.updateRecord(people.ana.tab.device, 'tasks', next, { title: 'Later' })
  await people.bo.tab.updateRecord(people.bo.tab.device, 'tasks', id, { repeats: null })
  await goOnline(people.ana)
  const { tab } = people.ana
  const lines = () => {
    const { operations } = tab.queue(tab.device).get()
    return operations.map((operation) => tab.queueLine(tab.device, operation, operations))
  }
  const reason = 'Failed to update task: This task was not created: the series was ended meanwhile.'
  await vi.waitFor(() => expect(lines()).toMatchObject([{ state: 'failed', reason }]), waitOptions)
  expect(seenByAna(people, 'tasks', id)).toMatchObject({ status: 'done', repeats: null })
  expect(seenByAna(people, 'tasks', next)).toBeUndefined()
  await tab.discardOperation(tab.device, lines()[0]?.id ?? '')
  expect(lines()).toEqual([])
})
