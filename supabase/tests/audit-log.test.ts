import { afterAll, beforeAll, expect, it } from 'vitest'
import { untilLockWait } from '#tests/harness/lock-wait.ts'
import { openScene, type Scene } from './people.ts'

let scene: Scene

beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())

it('audit log entries of the last year cannot be deleted; older ones can', async () => {
  await scene.owner.query(`
    insert into auth.audit_log_entries (payload, created_at)
    values ('{"n": 1}', now() - interval '364 days'), ('{"n": 2}', now() - interval '367 days')`)
  const deleteEntry = (n: number) =>
    scene.owner.query(`delete from auth.audit_log_entries where payload ->> 'n' = $1`, [String(n)])
  await expect(deleteEntry(1)).rejects.toThrow('only ever added to')
  expect((await deleteEntry(2)).rowCount).toBe(1)

  await scene.owner.query(
    `insert into private.brand_events (brand_id, event, user_id, detail, at)
     values ($1, 'test_1', $2, '{}', now() - interval '364 days'), ($1, 'test_2', $2, '{}', now() - interval '367 days')`,
    [scene.acme, scene.ids.ana],
  )
  const deleteEvent = (name: string) => scene.owner.query('delete from private.brand_events where event = $1', [name])
  await expect(deleteEvent('test_1')).rejects.toThrow('only ever added to')
  expect((await deleteEvent('test_2')).rowCount).toBe(1)
})

it('no audit log entry can be changed, however old, and the log cannot be truncated', async () => {
  await scene.owner.query(`
    insert into auth.audit_log_entries (payload, created_at) values ('{"n": 3}', now() - interval '400 days')`)
  for (const text of [
    'truncate auth.audit_log_entries',
    'truncate private.brand_events',
    `update auth.audit_log_entries set ip_address = ''`,
    `update private.brand_events set event = 'x'`,
  ])
    await expect(scene.owner.query(text), text).rejects.toMatchObject({
      code: '42501',
      message: 'The audit log is only ever added to.',
    })
})

it('audit_log reads fewer than 50 blocks, even after strangers have tried 5,000 times to sign in with a member’s e-mail address', async () => {
  await scene.as('ana')('select open_brand($1)', [scene.acme])
  const addEntries = (action: string, times: number, session: string | null) =>
    scene.owner.query(
      `insert into auth.audit_log_entries (payload)
       select json_strip_nulls(json_build_object('action', $1::text, 'actor_id', $2::text, 'session_id', $3::text))
       from generate_series(1, $4)`,
      [action, scene.ids.ana, session, times],
    )
  await addEntries('login', 3, scene.ids.ana)
  await addEntries('login_failed', 5000, null)
  await scene.owner.query('analyze auth.audit_log_entries')
  const client = await scene.owner.connect()
  try {
    await client.query('begin')
    const blocksFetched = async () => {
      const { rows } = await client.query(
        `select pg_stat_get_xact_blocks_fetched('auth.audit_log_entries'::regclass)::integer as read`,
      )
      return rows[0].read
    }
    const before = await blocksFetched()
    await scene.become(client, 'ana')
    const { rows } = await client.query('select event from audit_log($1) where event like $2', [scene.acme, 'sign_in%'])
    expect(rows.map(({ event }) => event)).toEqual(['sign_in', 'sign_in', 'sign_in'])
    await client.query('reset role')
    expect((await blocksFetched()) - before).toBeLessThan(50)
  } finally {
    await client.query('rollback')
    client.release()
  }
})

it('the audit log shows the last display name of a person who was removed; a deleted account has no name', async () => {
  const { acme, ids, owner } = scene
  const joinedLine = { event: 'member_joined', who: 'Tom Hale', name: 'Tom' }
  await owner.query(`insert into memberships (brand_id, user_id, display_name) values ($1, $2, 'Tom')`, [acme, ids.gus])
  const read = async (which: string) =>
    (
      await scene.as('ana')(
        `select event, who, detail ->> 'name' as name from audit_log($1) where ${which} order by id`,
        [acme, ids.gus],
      )
    ).rows
  const lines = () => read('user_id = $2')
  await scene.as('gus')(`update memberships set display_name = 'Tom Hale' where brand_id = $1 and user_id = $2`, [
    acme,
    ids.gus,
  ])
  expect(await lines()).toEqual([joinedLine])
  await scene.as('ana')('delete from memberships where brand_id = $1 and user_id = $2', [acme, ids.gus])
  expect(await lines()).toEqual([joinedLine])
  const linesAboutGus = () => read(`detail ->> 'user_id' = $2::text`)
  const removedLine = { event: 'member_removed', who: 'ana', name: 'Tom Hale' }
  expect(await linesAboutGus()).toEqual([joinedLine, removedLine])
  await owner.query('delete from auth.users where id = $1', [ids.gus])
  expect(await linesAboutGus()).toEqual([
    { ...joinedLine, who: null, name: null },
    { ...removedLine, name: null },
  ])
})

it('the audit log names a person who joined by confirming the e-mail address, when no user acts', async () => {
  const { umbra, ids, owner } = scene
  const lines = async () =>
    (
      await scene.as('eve')(`select user_id, who from audit_log($1) where event = 'member_joined' and user_id = $2`, [
        umbra,
        ids.kim,
      ])
    ).rows
  await scene.as('eve')(`select invite_member($1, 'kim.new@example.com')`, [umbra])
  await owner.query(`update auth.users set email = 'kim.new@example.com' where id = $1`, [ids.kim])
  const joinedLine = { user_id: ids.kim, who: 'kim.new' }
  expect(await lines()).toEqual([joinedLine])
  const { rows } = await owner.query(
    `select user_id from private.brand_events where brand_id = $1 and event = 'member_joined' and detail ->> 'user_id' = $2::text`,
    [umbra, ids.kim],
  )
  expect(rows).toEqual([{ user_id: ids.kim }])

  // A line that was written before this person was stored with it.
  await owner.query('alter table private.brand_events disable trigger name_joined_person')
  await owner.query(
    `insert into private.brand_events (brand_id, event, detail) values ($1, 'member_joined', jsonb_build_object('user_id', $2::uuid))`,
    [umbra, ids.kim],
  )
  await owner.query('alter table private.brand_events enable trigger name_joined_person')
  expect(await lines()).toEqual([joinedLine, joinedLine])
})

it('the audit log has at most one line per hour for the exports of a person, also if two exports run at the same time', async () => {
  const { acme, ids, owner } = scene
  const shownLines = async (person: 'bo' | 'kim') =>
    (
      await scene.as('ana')(`select from audit_log($1) where event = 'data_exported' and user_id = $2`, [
        acme,
        ids[person],
      ])
    ).rowCount
  for (const person of ['bo', 'kim'] as const) await scene.as(person)('select open_brand($1)', [acme])
  // An export of more than an hour ago does not count. The log does not show it, because the brand is younger.
  await owner.query(
    `insert into private.brand_events (brand_id, event, user_id, at)
     values ($1, 'data_exported', $2, clock_timestamp() - interval '61 minutes')`,
    [acme, ids.bo],
  )

  const first = await owner.connect()
  try {
    await first.query('begin')
    await scene.become(first, 'bo')
    await first.query('select export_my_data()')
    const second = scene.as('bo')('select export_my_data()')
    await Promise.race([second, untilLockWait(owner)])
    await first.query('commit')
    expect((await second).rowCount).toBe(1)
  } finally {
    first.release()
  }
  expect(await shownLines('bo')).toBe(1)
  for (let times = 0; times < 3; times++) await scene.as('bo')('select export_my_data()')
  expect(await shownLines('bo')).toBe(1)
  expect(await shownLines('kim')).toBe(0)
  await scene.as('kim')('select export_my_data()')
  expect(await shownLines('kim')).toBe(1)
})
