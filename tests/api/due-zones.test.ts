import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openScene, type Scene } from '../../supabase/tests/people.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { type ListPart, partConditions } from '#web/data/list-part.ts'
import { whereMatcher } from '#web/data/query/match.ts'
import type { Task } from '#web/data/server/rows.ts'
import { taskOrder } from '#web/data/tasks.ts'
import { dueGroup } from '#web/features/tasks/due-group.ts'
import { localToIso } from '#web/lib/dates.ts'
import { dueDay, localDay } from '#web/lib/due-day.ts'

/**
 * The tasks are due on days or at times that were set in several time zones. The tests expect a device in any time zone, and SQL, to put the
 * tasks into the same groups.
 */
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const random = seededRandom(seed)
const zones = ['Pacific/Honolulu', 'America/New_York', 'UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Auckland']
const parts: readonly ListPart[] = ['overdue', 'due-today', 'due-this-week']
let scene: Scene
let tasks: Task[] = []

const hoursFromNow = (count: number) => Date.now() + count * 3_600_000

beforeAll(async () => {
  scene = await openScene()
  const dues = Array.from({ length: 240 }, () => {
    vi.stubEnv('TZ', zones[Math.floor(random() * zones.length)])
    const dueTime = hoursFromNow((random() - 0.4) * 24 * (random() < 0.6 ? 4 : 20))
    return random() < 0.6
      ? localToIso(localDay(dueTime))
      : new Date(Math.floor(dueTime / 60_000) * 60_000).toISOString()
  })
  await scene.owner.query('delete from tasks where brand_id = $1', [scene.acme])
  const { rows } = await scene.owner.query<{ row: Task; day: string | null }>(
    `insert into tasks (brand_id, title, due_at) select $1, 'T', d from unnest($2::timestamptz[]) d
     returning to_jsonb(tasks) as row, private.due_day(due_at)::text as day`,
    [scene.acme, dues],
  )
  tasks = rows.map(({ row }) => row)
  expect(rows.map(({ day }) => day)).toEqual(dues.map((due) => dueDay(due)))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})
afterAll(() => scene.drop())

test.each(zones)('in the time zone %s, device and SQL have the same tasks in each group', async (zone) => {
  vi.stubEnv('TZ', zone)
  const queries = parts.map((part) => ({
    table: 'tasks',
    order: 'due',
    limit: 1000,
    where: { status: 'open', ...partConditions(part, new Date()) },
  }))
  const { rows } = await scene.as('bo')<{ answer: { answers: { rows: Task[] }[] } }>(
    'select read_queries($1, $2) as answer',
    [scene.acme, JSON.stringify(queries)],
  )
  const results = rows[0]?.answer.answers ?? []
  expect(results).toHaveLength(parts.length)
  for (const [index, part] of parts.entries()) {
    const where = { status: 'open', ...partConditions(part, new Date()) }
    const onDevice = tasks.filter(whereMatcher<'tasks'>({ table: 'tasks', where }))
    const ids = (list: readonly Task[]) => list.map(({ id }) => id).sort()
    expect([part, ids(onDevice), seed]).toEqual([part, ids(results[index]?.rows ?? []), seed])
    expect(onDevice.length).toBeGreaterThan(0)
    // The screens show the tasks of a part under the heading of the same name; 'due this week' includes today.
    const groups = new Set(onDevice.map(({ due_at }) => dueGroup(due_at, new Date())))
    if (part === 'overdue') expect(groups).toEqual(new Set(['Overdue']))
    if (part === 'due-today') expect(groups).toEqual(new Set(['Today']))
    else expect(groups.has('Today')).toBe(part === 'due-this-week')
  }
})

test.each(zones)('in the time zone %s, the figures of the dashboard are those of the groups', async (zone) => {
  vi.stubEnv('TZ', zone)
  const { rows } = await scene.as('bo')<{ answer: Record<string, number> }>('select dashboard($1, $2) as answer', [
    scene.acme,
    zone,
  ])
  const count = (part: ListPart) =>
    tasks.filter(whereMatcher<'tasks'>({ table: 'tasks', where: partConditions(part, new Date()) })).length
  expect(rows[0]?.answer).toMatchObject({
    overdue: count('overdue'),
    due_this_week: count('due-this-week'),
    due_today: count('due-today'),
  })
})

test.each(zones)('in the time zone %s, each group is one continuous part of the list, at every hour', (zone) => {
  vi.stubEnv('TZ', zone)
  const sorted = tasks.toSorted(taskOrder)
  for (let hour = -60; hour < 60; hour += 1) {
    const now = new Date(hoursFromNow(hour))
    const groups = sorted.map(({ due_at }) => dueGroup(due_at, now))
    const headings = groups.filter((group, index) => group !== groups[index - 1])
    expect([headings, seed]).toEqual([[...new Set(headings)], seed])
  }
})

test('a filter may compare a column of moments with the start of a day, and refuses malformed bounds and other columns', async () => {
  const outcomeOf = async (where: object) => {
    const queries = JSON.stringify([{ table: 'tasks', where }])
    return scene
      .as('bo')('select read_queries($1, $2)', [scene.acme, queries])
      .then(
        () => 'allowed',
        (error: unknown) => (error as { code: string }).code,
      )
  }
  expect(await outcomeOf({ due_at: { lt: { now: 0, day: '2026-11-25' } } })).toBe('allowed')
  expect(await outcomeOf({ title: { lt: { now: 0, day: '2026-11-25' } } })).toBe('22023')
  expect(await outcomeOf({ due_at: { lt: { now: 0, day: 'soon' } } })).toBe('22007')
  expect(await outcomeOf({ due_at: { lt: { at: '2026-11-25T00:00Z' } } })).toBe('22023')
  expect(await outcomeOf({ due_at: { lt: { day: '2026-11-25' } } })).toBe('22023')
})
