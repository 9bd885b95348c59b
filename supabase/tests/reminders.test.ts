import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openScene, type Person, refusalOf, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())

const firstRow = async <Row extends object>(text: string, ...values: unknown[]) =>
  (await scene.owner.query<Row>(text, values)).rows[0]
const addTask = async (by: Person, title: string, dueAt: string, more: { assignee_id?: string } = {}) =>
  (
    await scene.as(by)<{ id: string }>(
      'insert into tasks (brand_id, title, due_at, assignee_id) values ($1, $2, $3, $4) returning id',
      [scene.acme, title, dueAt, more.assignee_id ?? null],
    )
  ).rows[0]?.id ?? ''
const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
/** Makes all reminders due, and lets this number of servers check them at once. */
const tick = async (servers = 1) => {
  await scene.owner.query(`update private.reminders set remind_at = now() - interval '1 second'`)
  await Promise.all(Array.from({ length: servers }, () => scene.owner.query('select private.on_timer()')))
}
const takeReminders = async () =>
  (
    await scene.owner.query<{ who: string; title: string }>(
      `with gone as (delete from notifications where kind = 'task_due' returning user_id, title)
       select split_part(u.email, '@', 1) as who, title from gone join auth.users u on u.id = user_id order by title`,
    )
  ).rows.map(({ who, title }) => `${who}: ${title}`)

describe('a reminder', () => {
  it('a reminder comes once, to the assignee or else to the creator of the task, however many servers check', async () => {
    await addTask('ana', 'Call', tomorrow, { assignee_id: scene.ids.bo })
    await addTask('ana', 'Write', tomorrow)
    await scene.owner.query('select private.on_timer()')
    expect(await takeReminders()).toEqual([])
    await tick(5)
    expect(await takeReminders()).toEqual(['bo: Call', 'ana: Write'])
    await tick()
    expect(await takeReminders()).toEqual([])
  })

  it('a reminder follows changes of the task (its time, its assignee, done, reopened, deleted, restored), and never comes for a past time', async () => {
    const reminderCount = (title: string) =>
      firstRow<{ n: number }>(
        `select count(*)::int as n from private.reminders r join tasks t on t.id = r.task_id where t.title = $1`,
        title,
      )
    await addTask('ana', 'Over', '2020-01-01T10:00:00Z')
    expect(await reminderCount('Over')).toEqual({ n: 0 })
    const id = await addTask('ana', 'Roof', tomorrow)
    const updateTask = (column: string, value: unknown) =>
      scene.as('ana')(`update tasks set ${column} = $3 where brand_id = $1 and id = $2`, [scene.acme, id, value])
    await updateTask('status', 'done')
    expect(await reminderCount('Roof')).toEqual({ n: 0 })
    await updateTask('status', 'open')
    await updateTask('assignee_id', scene.ids.kim)
    await scene.as('ana')('delete from tasks where brand_id = $1 and id = $2', [scene.acme, id])
    expect(await reminderCount('Roof')).toEqual({ n: 0 })
    await scene.as('ana')(`select restore_records($1, 'tasks', array[$2]::uuid[])`, [scene.acme, id])
    expect(await reminderCount('Roof')).toEqual({ n: 1 })
    await tick()
    expect(await takeReminders()).toEqual(['kim: Roof'])
    await updateTask('due_at', new Date(Date.now() + 3_600_000).toISOString())
    expect(await reminderCount('Roof')).toEqual({ n: 1 })
    await updateTask('due_at', null)
    expect(await reminderCount('Roof')).toEqual({ n: 0 })
  })

  it('a reminder of a task that is due on a day without a time comes at nine in the person’s time zone', async () => {
    const id = await addTask('bo', 'Day', '2037-07-01T23:59:59.999Z')
    const remindAt = async () =>
      (
        await firstRow<{ at: Date }>('select remind_at as at from private.reminders where task_id = $1', id)
      )?.at.toISOString()
    expect(await remindAt()).toBe('2037-07-01T09:00:00.000Z')
    await scene.as('bo')(`select set_notification_settings('Asia/Tokyo')`)
    expect(await remindAt()).toBe('2037-07-01T00:00:00.000Z')
  })
})

describe('a reminder that nobody has read yet', () => {
  beforeEach(async () => {
    await scene.owner.query('delete from private.reminders')
    await scene.owner.query('delete from notifications')
  })
  const unreadTitles = async () =>
    (
      await scene.owner.query<{ title: string }>(
        `select title from notifications where kind = 'task_due' and read_at is null order by title`,
      )
    ).rows.map(({ title }) => title)

  it('a reminder of a task counts as read when the task is done, gets another time, or is given to another member, and only then', async () => {
    const today = new Date(Date.now() + 3_600_000).toISOString()
    const titles = ['Done', 'Given', 'Kept', 'Postponed']
    const ids = new Map<string, string>()
    for (const title of titles) ids.set(title, await addTask('ana', title, today, { assignee_id: scene.ids.bo }))
    await tick()
    expect(await unreadTitles()).toEqual(titles)
    const set = (title: string, column: string, value: unknown) =>
      scene.as('kim')(`update tasks set ${column} = $3 where brand_id = $1 and id = $2`, [
        scene.acme,
        ids.get(title),
        value,
      ])
    await set('Kept', 'title', 'Still kept')
    await set('Kept', 'status', 'open')
    await set('Done', 'status', 'done')
    expect(await unreadTitles()).toEqual(['Given', 'Kept', 'Postponed'])
    await set('Given', 'assignee_id', scene.ids.cy)
    await set('Postponed', 'due_at', tomorrow)
    expect(await unreadTitles()).toEqual(['Kept'])
    // Makes the next reminder of the postponed task, and that of the new member, due at once.
    await tick()
    expect(await unreadTitles()).toEqual(['Given', 'Kept', 'Postponed'])
  })

  it('a reminder that came at nine on Kiritimati, 29 hours before the end of its day in UTC, is read with its task', async () => {
    const id = await addTask('bo', 'Day', new Date(Date.now() + 29 * 3_600_000).toISOString())
    await tick()
    expect(await unreadTitles()).toEqual(['Day'])
    await scene.as('bo')(`update tasks set status = 'done' where brand_id = $1 and id = $2`, [scene.acme, id])
    expect(await unreadTitles()).toEqual([])
  })
})

describe('quiet hours', () => {
  const deliveryTime = async (at: string) =>
    (await firstRow<{ at: Date }>('select private.after_quiet_hours($1, $2) as at', scene.ids.kim, at))?.at
      .toISOString()
      .slice(0, 16)
  const setHours = (zone: string | null, from: string | null, until: string | null) =>
    scene.as('kim')('select set_notification_settings($1, $2, $3)', [zone, from, until])

  it('quiet hours end at the local time, also in nights in which the clock changes', async () => {
    await setHours('Europe/London', '22:00', '07:00')
    // On 25 October the clock goes back from 02:00 to 01:00: this night is an hour longer.
    expect(await deliveryTime('2026-10-24T20:59Z')).toBe('2026-10-24T20:59')
    expect(await deliveryTime('2026-10-24T21:00Z')).toBe('2026-10-25T07:00')
    expect(await deliveryTime('2026-10-25T00:30Z')).toBe('2026-10-25T07:00')
    expect(await deliveryTime('2026-10-25T01:30Z')).toBe('2026-10-25T07:00')
    expect(await deliveryTime('2026-10-25T06:59Z')).toBe('2026-10-25T07:00')
    expect(await deliveryTime('2026-10-25T07:00Z')).toBe('2026-10-25T07:00')
    // On 29 March the clock goes forward from 01:00 to 02:00: this night is an hour shorter.
    expect(await deliveryTime('2026-03-28T22:00Z')).toBe('2026-03-29T06:00')
    expect(await deliveryTime('2026-03-29T05:59Z')).toBe('2026-03-29T06:00')
    expect(await deliveryTime('2026-03-29T06:00Z')).toBe('2026-03-29T06:00')
    await setHours('Europe/London', '00:30', '01:30')
    // 01:30 does not exist on that day.
    expect(await deliveryTime('2026-03-29T00:45Z')).toBe('2026-03-29T01:30')
    await setHours('America/New_York', '12:00', '13:00')
    expect(await deliveryTime('2026-07-01T16:20Z')).toBe('2026-07-01T17:00')
    expect(await deliveryTime('2026-07-01T17:00Z')).toBe('2026-07-01T17:00')
    await setHours('America/New_York', null, null)
    expect(await deliveryTime('2026-07-01T16:20Z')).toBe('2026-07-01T16:20')
  })

  it('quiet hours need an existing time zone, a beginning and an end, and only their person can read them', async () => {
    for (const zone of [null, '', 'Mars/Base', 'x'.repeat(200), "';", '<+5>-5'])
      expect(await refusalOf(setHours(zone, null, null))).toMatch(/^22023/)
    expect(await refusalOf(setHours('UTC', '22:00', null))).toMatch(/^22023/)
    await setHours('Europe/Paris', '21:30', '06:00')
    const settingsOf = async (person: Person) =>
      (await scene.as(person)<{ s: unknown }>('select notification_settings() as s')).rows[0]?.s
    expect(await settingsOf('kim')).toEqual({
      time_zone: 'Europe/Paris',
      quiet_from: '21:30',
      quiet_until: '06:00',
      muted_kinds: [],
    })
    expect(await settingsOf('cy')).toEqual({ time_zone: null, quiet_from: null, quiet_until: null, muted_kinds: [] })
    expect(await refusalOf(settingsOf('nobody'))).toMatch(/^42501/)
  })
})

describe('push', () => {
  beforeAll(async () => {
    for (const person of ['bo', 'cy'] as const) await scene.as(person)('select open_brand($1)', [scene.acme])
  })
  const browserKeys = ['B'.padEnd(87, 'A'), 'a'.repeat(22)]
  const subscribe = (person: Person, endpoint: unknown, [key, secret] = browserKeys) =>
    scene.as(person)('select save_push_subscription($1, $2, $3)', [endpoint, key, secret])
  const endpoints = async () =>
    (
      await scene.owner.query<{ endpoint: string }>('select endpoint from private.push_subscriptions order by 1')
    ).rows.map(({ endpoint }) => endpoint)
  const notifyPerson = (person: 'ana' | 'kim') =>
    scene.owner.query(`select private.notify($1, $2, 'task_due', 'tasks', $1, 'Call')`, [scene.acme, scene.ids[person]])
  const takePushes = async () =>
    (
      await scene.owner.query<{ id: string; endpoint: string; payload: string }>(
        'select * from private.take_pushes(10)',
      )
    ).rows

  it('a push message goes to public push services only, and to the ten newest browsers of a person', async () => {
    for (const endpoint of [
      'http://push.example/a',
      'https://localhost/a',
      'https://127.0.0.1/a',
      'https://[::1]/a',
      'https://2130706433/a',
      'https://0x7f.1/a',
      'https://push.example:8443/a',
      'https://user@push.example/a',
      'https://db.internal/a',
      'https://push.example',
      'https://push.example/a b',
      `https://push.example/${'a'.repeat(1000)}`,
      'file:///etc/passwd',
      null,
    ])
      expect(await refusalOf(subscribe('bo', endpoint))).toMatch(/^22023/)
    expect(await refusalOf(subscribe('bo', 'https://push.example/a', ['short', 'x']))).toMatch(/^22023/)
    for (let i = 10; i < 22; i++) await subscribe('bo', `https://push.example/${i}`)
    expect(await endpoints()).toEqual(Array.from({ length: 10 }, (_, i) => `https://push.example/${12 + i}`))
    await scene.as('kim')(`select remove_push_subscription('https://push.example/12')`)
    expect(await endpoints()).toHaveLength(10)
    await scene.owner.query('delete from private.push_subscriptions')
  })

  it('a push message is sent once, is tried again if that may help, and is dropped after its subscription or session has ended or its notification was read', async () => {
    await scene.owner.query('delete from private.notification_settings')
    await subscribe('bo', 'https://push.example/bo')
    const notify = () =>
      scene.owner.query(`select private.notify($1, $2, 'task_due', 'tasks', $3, 'Call')`, [
        scene.acme,
        scene.ids.bo,
        scene.acme,
      ])
    await notify()
    const pushes = (await Promise.all([takePushes(), takePushes(), takePushes()])).flat()
    expect(pushes).toHaveLength(1)
    expect(JSON.parse(pushes[0]?.payload ?? '')).toMatchObject({
      title: 'Due now',
      body: 'Call',
      url: `/crm/tasks/${scene.acme}`,
    })
    expect(await takePushes()).toEqual([])
    const settle = (status: number) => scene.owner.query('select private.settle_push($1, $2)', [pushes[0]?.id, status])
    await settle(503)
    expect(await takePushes()).toEqual([])
    await scene.owner.query('update private.push_outbox set due_at = now()')
    expect(await takePushes()).toHaveLength(1)
    await settle(201)
    await notify()
    await scene.owner.query('update notifications set read_at = now()')
    expect(await takePushes()).toEqual([])
    await notify()
    const [lastPush] = await takePushes()
    await scene.owner.query('select private.settle_push($1, 410)', [lastPush?.id])
    expect(await endpoints()).toEqual([])
    await subscribe('bo', 'https://push.example/bo')
    await scene.owner.query('update brands set requires_second_factor = true where id = $1', [scene.acme])
    await notify()
    // Neither stored nor sent: each of the two checks has to refuse it alone.
    expect(await firstRow('select count(*)::int as n from private.push_outbox')).toEqual({ n: 0 })
    expect(await takePushes()).toEqual([])
    await scene.owner.query('update brands set requires_second_factor = false where id = $1', [scene.acme])
    await scene.owner.query('delete from auth.sessions where user_id = $1', [scene.ids.bo])
    expect(await endpoints()).toEqual([])
  })

  it('a push message is sent for the kinds of notification that the person chose, and for no brand that the person has not opened', async () => {
    await scene.as('kim')(`select set_notification_settings('UTC')`)
    await subscribe('kim', 'https://push.example/kim')
    const notify = async (kind: string) => {
      const callNotify = `select private.notify($1, $2, $3, 'tasks', $1, 'Call')`
      await scene.owner.query(callNotify, [scene.acme, scene.ids.kim, kind])
    }
    const pushed = async () => (await takePushes()).map(({ payload }) => JSON.parse(payload).title)
    await notify('task_due')
    expect(await firstRow('select count(*)::int as n from private.push_outbox')).toEqual({ n: 0 })
    expect(await pushed()).toEqual([])
    await scene.as('kim')('select open_brand($1)', [scene.acme])
    const setPushed = (kind: string | null, isOn: boolean | null) =>
      scene.as('kim')('select set_pushed_kind($1, $2)', [kind, isOn])
    await notify('task_due')
    await notify('member_joined')
    // Muting a kind also deletes its pushes that already wait.
    await setPushed('task_due', false)
    await setPushed('task_due', false)
    await notify('task_due')
    expect(await pushed()).toEqual(['Invitation accepted'])
    const { rows } = await scene.as('kim')<{ s: object }>('select notification_settings() as s')
    expect(rows[0]?.s).toMatchObject({ muted_kinds: ['task_due'], time_zone: 'UTC' })
    expect(
      await firstRow(
        'select count(*)::int as n from notifications where user_id = $1 and kind = $2',
        scene.ids.kim,
        'task_due',
      ),
    ).toEqual({ n: 3 })
    await setPushed('task_due', true)
    await notify('task_due')
    expect(await pushed()).toEqual(['Due now'])
    for (const [kind, isOn] of [
      ['added_to_brand', false],
      ['x'.repeat(1000), false],
      [null, false],
      ['task_due', null],
    ] as const)
      expect(await refusalOf(setPushed(kind, isOn))).toMatch(/^22023/)
    expect(await refusalOf(scene.as('nobody')(`select set_pushed_kind('task_due', false)`))).toMatch(/^42501/)
    await scene.owner.query('delete from private.push_outbox')
  })

  it('a push message waits until the quiet hours are over', async () => {
    await scene.as('cy')(
      `select set_notification_settings('UTC', (now() at time zone 'UTC')::time, ((now() + interval '2 hours') at time zone 'UTC')::time)`,
    )
    await subscribe('cy', 'https://push.example/cy')
    await scene.owner.query(`select private.notify($1, $2, 'task_due', 'tasks', $1, 'Call')`, [
      scene.acme,
      scene.ids.cy,
    ])
    expect(await takePushes()).toEqual([])
    expect(
      await firstRow(`select round(extract(epoch from due_at - now()) / 3600)::int as hours from private.push_outbox`),
    ).toEqual({ hours: 2 })
  })

  it('a push message that waited does not reach a person who was removed, who lacks a second factor that is required now, or whose browser another person has subscribed since', async () => {
    await scene.owner.query('delete from private.notification_settings')
    const addWaitingPush = async () => {
      await scene.owner.query('delete from private.push_outbox')
      await subscribe('cy', 'https://push.example/cy')
      await scene.owner.query(`select private.notify($1, $2, 'task_due', 'tasks', $1, 'Call')`, [
        scene.acme,
        scene.ids.cy,
      ])
    }
    const changes: [change: () => Promise<unknown>, undoChange: () => Promise<unknown>][] = [
      [
        () => scene.owner.query('update brands set requires_second_factor = true where id = $1', [scene.acme]),
        () => scene.owner.query('update brands set requires_second_factor = false where id = $1', [scene.acme]),
      ],
      [() => subscribe('eve', 'https://push.example/cy'), () => subscribe('cy', 'https://push.example/cy')],
      [
        () =>
          scene.as('ana')('delete from memberships where brand_id = $1 and user_id = $2', [scene.acme, scene.ids.cy]),
        () => Promise.resolve(),
      ],
    ]
    for (const [change, undoChange] of changes) {
      await addWaitingPush()
      await change()
      expect(await takePushes()).toEqual([])
      expect((await scene.owner.query('select from private.push_outbox')).rowCount).toBe(0)
      await undoChange()
    }
  })

  it('a push message that is tried again during quiet hours waits until they are over', async () => {
    await scene.owner.query('delete from private.push_outbox')
    await subscribe('kim', 'https://push.example/kim')
    await notifyPerson('kim')
    const [push] = await takePushes()
    await scene.owner.query('select private.settle_push($1, 503)', [push?.id])
    await scene.as('kim')(
      `select set_notification_settings('UTC', ((now() - interval '1 hour') at time zone 'UTC')::time, ((now() + interval '2 hours') at time zone 'UTC')::time)`,
    )
    await scene.owner.query('update private.push_outbox set due_at = now()')
    expect(await takePushes()).toEqual([])
    expect(
      await firstRow(`select round(extract(epoch from due_at - now()) / 3600)::int as hours from private.push_outbox`),
    ).toEqual({ hours: 2 })
    await scene.as('kim')(`select set_notification_settings('UTC')`)
    await scene.owner.query('update private.push_outbox set due_at = now()')
    expect(await takePushes()).toHaveLength(1)
  })

  it('a push message about a deleted task is not sent', async () => {
    await scene.owner.query('delete from private.push_outbox')
    await scene.owner.query('delete from notifications')
    await subscribe('kim', 'https://push.example/kim')
    const id = await addTask('kim', 'Gone', tomorrow)
    await tick()
    await scene.as('kim')('delete from tasks where brand_id = $1 and id = $2', [scene.acme, id])
    expect(await takePushes()).toEqual([])
    expect((await scene.owner.query('select from private.push_outbox')).rowCount).toBe(0)
  })

  it('at most three push messages of a person are sent at once, so that those of others do not wait for them', async () => {
    await scene.owner.query('delete from private.push_outbox')
    await subscribe('kim', 'https://push.example/kim')
    await subscribe('ana', 'https://push.example/ana')
    for (let i = 0; i < 20; i++) await notifyPerson('kim')
    await notifyPerson('ana')
    const takeEndpoints = async () =>
      (await takePushes()).map(({ endpoint }) => endpoint.slice('https://push.example/'.length)).toSorted()
    expect(await takeEndpoints()).toEqual(['ana', 'kim', 'kim', 'kim'])
    expect(await takeEndpoints()).toEqual([])
    await scene.owner.query(
      `select private.settle_push(id, 201) from (select id from private.push_outbox where taken_at is not null and endpoint like '%/kim' limit 1) o`,
    )
    expect(await takeEndpoints()).toEqual(['kim'])
    // A server that has stopped has settled nothing.
    await scene.owner.query(`update private.push_outbox set taken_at = taken_at - interval '30 seconds'`)
    expect(await takeEndpoints()).toEqual(['kim', 'kim', 'kim'])
  })
})
