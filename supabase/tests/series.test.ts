import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { seededRandom } from '#tests/harness/seeded-random.ts'
import { nextDue, nextTaskId } from '#web/lib/series.ts'
import { openScene, type Person, refusalOf, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())

interface Row {
  id: string
  title: string
  due_at: string
  status: string
  repeats: string | null
  assignee_id: string | null
  contact_id: string | null
  created_by: string
}
const tomorrow = new Date(Date.now() + 86_400_000).toISOString().replace(/\d\d\.\d{3}Z/, '00.000Z')
const addTask = async (by: Person, more: Record<string, unknown> = {}) => {
  const values = { title: 'Call', due_at: tomorrow, repeats: 'daily Europe/London', ...more }
  const { rows } = await scene.as(by)<{ id: string }>(
    `insert into tasks (brand_id, title, due_at, repeats, assignee_id, contact_id, priority)
     select $1, r.title, r.due_at, r.repeats, r.assignee_id, r.contact_id, coalesce(r.priority, 'normal')
     from jsonb_populate_record(null::tasks, $2) r returning id`,
    [scene.acme, values],
  )
  return rows[0]?.id ?? ''
}
const setColumn = (by: Person, id: string, column: string, value: unknown) =>
  scene.as(by)(`update tasks set ${column} = $3 where brand_id = $1 and id = $2`, [scene.acme, id, value])
const findTask = async (id: string) =>
  (await scene.owner.query<{ row: Row }>('select to_jsonb(t) as row from tasks t where id = $1', [id])).rows[0]?.row

describe('a repeating task', () => {
  it('a repeating task that is done is followed once by the next one, whoever completes it, with the same title, assignee, contact and priority', async () => {
    const contact = await scene.as('ana')<{ id: string }>(
      `select upsert_contact($1, 'roof@x.test', null, null, null) as id`,
      [scene.acme],
    )
    const expectedFields = { assignee_id: scene.ids.bo, contact_id: contact.rows[0]?.id, priority: 'high' }
    const id = await addTask('ana', expectedFields)
    await Promise.all([setColumn('ana', id, 'status', 'done'), setColumn('bo', id, 'status', 'done')])
    const next = await findTask(nextTaskId(id))
    const { title, repeats, created_by } = (await findTask(id)) as Row
    expect(next).toMatchObject({ ...expectedFields, title, repeats, created_by, status: 'open', version: 1 })
    expect(Date.parse(next?.due_at ?? '') - Date.parse(tomorrow)).toBe(86_400_000)
    const reminder = await scene.owner.query('select user_id from private.reminders where task_id = $1', [next?.id])
    expect(reminder.rows).toEqual([{ user_id: scene.ids.bo }])
  })

  it('a repeating task removes the next one when it is reopened, unless somebody has changed the next one; done again, it is followed by one again', async () => {
    const id = await addTask('ana')
    const next = nextTaskId(id)
    for (let round = 0; round < 2; round += 1) {
      await setColumn('ana', id, 'status', 'done')
      expect(await findTask(next)).toMatchObject({ status: 'open' })
      await setColumn('bo', id, 'status', 'open')
      expect(await findTask(next)).toBeUndefined()
    }
    await setColumn('ana', id, 'status', 'done')
    await setColumn('bo', next, 'title', 'Call Jo')
    await setColumn('ana', id, 'status', 'open')
    expect(await findTask(next)).toMatchObject({ title: 'Call Jo' })
    await setColumn('ana', id, 'status', 'done')
    expect(await findTask(next)).toMatchObject({ title: 'Call Jo' })
  })

  it('a repeating task ends when it stops repeating; an undone delete continues the series; a second completion creates nothing', async () => {
    const id = await addTask('ana')
    const scope = [scene.acme, id]
    await scene.as('ana')('delete from tasks where brand_id = $1 and id = $2', scope)
    await scene.as('ana')(`select restore_records($1, 'tasks', array[$2]::uuid[])`, scope)
    await setColumn('ana', id, 'status', 'done')
    const next = nextTaskId(id)
    expect(await findTask(next)).toMatchObject({ status: 'open' })
    await setColumn('ana', next, 'repeats', null)
    await setColumn('ana', next, 'status', 'done')
    expect(await findTask(nextTaskId(next))).toBeUndefined()
    // A done task that a second person completes again creates nothing.
    await scene.as('ana')('delete from tasks where brand_id = $1 and id = $2', [scene.acme, next])
    await setColumn('bo', id, 'status', 'done')
    expect(await findTask(next)).toBeUndefined()
  })

  it('a completion of a repeating task that is sent again with its key is refused with the id of the completed task', async () => {
    const id = await addTask('ana')
    const completeWithKey = () =>
      scene.as('ana')(`update tasks set status = 'done' where brand_id = $1 and id = $2`, [scene.acme, id], {
        key: 'done-1',
      })
    await completeWithKey()
    const error: unknown = await completeWithKey().catch((reason: unknown) => reason)
    expect(error).toMatchObject({ message: 'already applied', detail: expect.stringContaining(id) })
  })

  it.each(['daily', 'weekly 8 UTC', 'monthly 32 UTC', 'daily Europe/Nowhere', `daily Europe/${'x'.repeat(80)}`, ''])(
    'a repeating task refuses the rule %j with a message that says what is right',
    async (repeats) => {
      expect(await refusalOf(addTask('ana', { repeats }))).toMatch(/^22023 A task repeats "daily", "workdays"/)
    },
  )

  it('a repeating task refuses a time zone that only PostgreSQL knows', async () => {
    expect(await refusalOf(addTask('ana', { repeats: 'daily FOO5' }))).toMatch(/tasks_repeats_check/)
  })

  it('a repeating task cannot be completed by a person outside of the brand, and then has no next one', async () => {
    const id = await addTask('ana')
    await setColumn('eve', id, 'status', 'done')
    expect(await findTask(nextTaskId(id))).toBeUndefined()
  })
})

describe('the notifications of a series', () => {
  beforeEach(() => scene.owner.query('delete from notifications'))
  const notificationsOf = async (person: 'bo' | 'cy' | 'kim') => {
    const { rows } = await scene.owner.query<{ kind: string; record_id: string }>(
      'select kind, record_id from notifications where user_id = $1 order by created_at',
      [scene.ids[person]],
    )
    return rows
  }

  it('a task of a series that a colleague completes notifies its assignee neither of the next task nor, after Undo, of a deleted one', async () => {
    const id = await addTask('ana', { assignee_id: scene.ids.bo })
    const next = nextTaskId(id)
    const first = [{ kind: 'assigned', record_id: id }]
    expect(await notificationsOf('bo')).toEqual(first)
    await setColumn('ana', id, 'status', 'done')
    expect(await findTask(next)).toMatchObject({ assignee_id: scene.ids.bo })
    expect(await notificationsOf('bo')).toEqual(first)
    await setColumn('ana', id, 'status', 'open')
    expect(await findTask(next)).toBeUndefined()
    expect(await notificationsOf('bo')).toEqual(first)
    // The next task notifies a member to whom it is assigned later.
    await setColumn('ana', id, 'status', 'done')
    await setColumn('ana', next, 'assignee_id', scene.ids.cy)
    expect(await notificationsOf('cy')).toEqual([{ kind: 'assigned', record_id: next }])
  })

  it('a task that is completed and given to another person at once notifies this person of the next task', async () => {
    const id = await addTask('ana', { assignee_id: scene.ids.bo })
    const update = `update tasks set status = 'done', assignee_id = $3 where brand_id = $1 and id = $2`
    await scene.as('ana')(update, [scene.acme, id, scene.ids.cy])
    expect(await notificationsOf('cy')).toContainEqual({ kind: 'assigned', record_id: nextTaskId(id) })
  })

  it('tasks of several series that are completed at once notify nobody, but new tasks do', async () => {
    const ids = [
      await addTask('ana', { assignee_id: scene.ids.bo }),
      await addTask('ana', { assignee_id: scene.ids.kim }),
    ]
    await scene.owner.query('delete from notifications')
    await scene.as('ana')(`update tasks set status = 'done' where brand_id = $1 and id = any ($2)`, [scene.acme, ids])
    expect(await Promise.all(ids.map((id) => findTask(nextTaskId(id))))).toMatchObject([
      { assignee_id: scene.ids.bo },
      { assignee_id: scene.ids.kim },
    ])
    expect([...(await notificationsOf('bo')), ...(await notificationsOf('kim'))]).toEqual([])
    const added = await addTask('ana', { assignee_id: scene.ids.bo })
    expect(await notificationsOf('bo')).toEqual([{ kind: 'assigned', record_id: added }])
  })

  it('a task that a member adds with the id of a next task notifies its assignee', async () => {
    const id = await addTask('ana', { assignee_id: scene.ids.kim })
    await setColumn('ana', id, 'status', 'done')
    const next = nextTaskId(id)
    const insert = 'insert into tasks (brand_id, id, title, assignee_id) values ($1, $2, $3, $4)'
    await scene.owner.query('delete from tasks where id = $1', [next])
    await scene.as('ana')(insert, [scene.acme, next, 'Silent', scene.ids.kim])
    expect((await notificationsOf('kim')).map(({ record_id }) => record_id)).toEqual([id, next])
  })
})

describe('the next date', () => {
  const cases: readonly [due: string | null, repeats: string, now: string, next: string][] = [
    // The local hour stays the same over both changes of the clock.
    ['2026-03-28T09:00Z', 'daily Europe/London', '2026-03-28T08:00Z', '2026-03-29T08:00:00.000Z'],
    ['2026-10-24T08:00Z', 'daily Europe/London', '2026-10-24T08:00Z', '2026-10-25T09:00:00.000Z'],
    ['2026-11-20T17:00Z', 'workdays America/New_York', '2026-11-20T18:00Z', '2026-11-23T17:00:00.000Z'],
    // If the task is done late, the next date is after today: there is no task for each missed week. If it is done early, the next date is
    // after the task's own date.
    ['2026-10-05T09:00Z', 'weekly 1 UTC', '2026-11-23T10:00Z', '2026-11-30T09:00:00.000Z'],
    ['2026-11-30T09:00Z', 'weekly 1 UTC', '2026-11-25T10:00Z', '2026-12-07T09:00:00.000Z'],
    // A task that was postponed to a Tuesday still repeats on Mondays.
    ['2026-11-24T09:00Z', 'weekly 1 UTC', '2026-11-24T10:00Z', '2026-11-30T09:00:00.000Z'],
    // A series on the 31st returns to the 31st after February.
    ['2027-01-31T23:59:59.999Z', 'monthly 31 UTC', '2027-01-31T10:00Z', '2027-02-28T23:59:59.999Z'],
    ['2027-02-28T23:59:59.999Z', 'monthly 31 UTC', '2027-02-28T10:00Z', '2027-03-31T23:59:59.999Z'],
    ['2028-01-30T12:00Z', 'monthly 30 UTC', '2028-01-30T10:00Z', '2028-02-29T12:00:00.000Z'],
    // A due date without a time is the last millisecond of a day in some time zone. The next date is the last millisecond of a day in UTC.
    ['2026-11-23T04:59:59.999Z', 'daily Asia/Tokyo', '2026-11-20T10:00Z', '2026-11-23T23:59:59.999Z'],
    [null, 'daily Asia/Tokyo', '2026-11-22T20:00Z', '2026-11-24T23:59:59.999Z'],
  ]
  const nextDueInSql = async (due: string | null, repeats: string, now: string) =>
    (
      await scene.owner.query<{ next: Date | null }>('select private.next_due($1, $2, $3) as next', [due, repeats, now])
    ).rows[0]?.next?.toISOString() ?? null

  it.each(cases)(
    'the next date of a task that is due %s and repeats %s, done at %s, is %s',
    async (due, repeats, now, next) => {
      expect(await nextDueInSql(due, repeats, now)).toBe(next)
      expect(nextDue(due, repeats, Date.parse(now))).toBe(next)
    },
  )

  it('the next date of a repeating task is the same in SQL and on a device, for 1,000 random series', async () => {
    const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
    const random = seededRandom(seed)
    const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value
    const zones = [
      'UTC',
      'Europe/London',
      'Europe/Dublin',
      'Europe/Berlin',
      'America/New_York',
      'America/St_Johns',
      'America/Santiago',
      'Asia/Kolkata',
      'Asia/Kathmandu',
      'Asia/Beirut',
      'Africa/Cairo',
      'Africa/Casablanca',
      'Australia/Lord_Howe',
      'Pacific/Chatham',
      'Pacific/Auckland',
      'Pacific/Kiritimati',
      'Pacific/Pago_Pago',
      'Etc/GMT+5',
    ]
    const moment = () => Date.UTC(2018, 0, 1) + random() * 18 * 365 * 86_400_000
    const series = Array.from({ length: 1_000 }, () => {
      const rhythm = pick([
        'daily',
        'workdays',
        `weekly ${1 + Math.floor(random() * 7)}`,
        `monthly ${1 + Math.floor(random() * 31)}`,
      ])
      const minute = Math.floor(moment() / 60_000) * 60_000
      const due = random() < 0.1 ? null : new Date(random() < 0.3 ? minute + 59_999 : minute).toISOString()
      const currentTime = random() < 0.5 ? minute + (random() - 0.5) * 40 * 86_400_000 : moment()
      return { due, repeats: `${rhythm} ${pick(zones)}`, now: new Date(currentTime).toISOString() }
    })
    const { rows } = await scene.owner.query<{ next: Date; id: string; next_id: string }>(
      `select private.next_due((s ->> 'due')::timestamptz, s ->> 'repeats', (s ->> 'now')::timestamptz) as next, i.id, private.next_task_id(i.id) as next_id
       from jsonb_array_elements($1::jsonb) with ordinality a (s, n), lateral (select gen_random_uuid() as id where n > 0) i order by n`,
      [JSON.stringify(series)],
    )
    const differing = series.flatMap(({ due, repeats, now }, index) => {
      const [sql, device] = [rows[index]?.next?.toISOString(), nextDue(due, repeats, Date.parse(now))]
      return sql === device ? [] : [{ due, repeats, now, sql, device }]
    })
    expect(differing, `SEED=${seed}`).toEqual([])
    expect(rows.map(({ id }) => nextTaskId(id))).toEqual(rows.map(({ next_id }) => next_id))
  })

  it('the tasks of 50 long series all get different ids, even if the first ids of the series are consecutive', () => {
    const ids = new Set<string>()
    for (let first = 0; first < 50; first += 1) {
      let id = `00000000-0000-4000-8000-${(first + 2 ** 47).toString(16).padStart(12, '0')}`
      for (let step = 0; step < 2_000; step += 1) {
        ids.add(id)
        id = nextTaskId(id)
      }
    }
    expect(ids.size).toBe(50 * 2_000)
  })
})
