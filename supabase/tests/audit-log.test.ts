import { afterAll, beforeAll, expect, it } from 'vitest'
import { openScene, type Scene } from './people.ts'

let scene: Scene

beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())

it('what happened within a year cannot be taken away, what is older can', async () => {
  await scene.owner.query(`
    insert into auth.audit_log_entries (payload, created_at)
    values ('{"n": 1}', now() - interval '364 days'), ('{"n": 2}', now() - interval '367 days')`)
  const entry = (n: number) =>
    scene.owner.query(`delete from auth.audit_log_entries where payload ->> 'n' = $1`, [String(n)])
  await expect(entry(1)).rejects.toThrow('only ever added to')
  expect((await entry(2)).rowCount).toBe(1)

  await scene.owner.query(
    `insert into private.brand_events (brand_id, event, user_id, detail, at)
     values ($1, 'test_1', $2, '{}', now() - interval '364 days'), ($1, 'test_2', $2, '{}', now() - interval '367 days')`,
    [scene.acme, scene.ids.ana],
  )
  const event = (name: string) => scene.owner.query('delete from private.brand_events where event = $1', [name])
  await expect(event('test_1')).rejects.toThrow('only ever added to')
  expect((await event('test_2')).rowCount).toBe(1)
})

it('nothing of it is changed, however old, and it is never emptied', async () => {
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
