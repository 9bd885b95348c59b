import { afterAll, beforeAll, expect, it } from 'vitest'
import { openScene, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())

it('a calendar feed of 1,000 tasks reads fewer than 3,000 rows of the 40,000 tasks and contacts', async () => {
  await scene.as('bo')('select open_brand($1)', [scene.acme])
  const createdFeed = await scene.as('bo')<{ secret: string }>('select make_calendar_feed() as secret')
  const client = await scene.owner.connect()
  try {
    await client.query('begin')
    // Without triggers, the 40,000 rows are inserted faster.
    await client.query(`set local session_replication_role = replica`)
    const insertContacts = `insert into public.contacts (brand_id, id, email) select $1, md5(n::text)::uuid, n || '@x.y' from generate_series(1, 20000) n`
    await client.query(insertContacts, [scene.acme])
    const insertTasks = `insert into public.tasks (brand_id, title, due_at, assignee_id, contact_id)
      select $1, 'Call ' || n, now() + n * interval '1 minute', $2, md5(n::text)::uuid from generate_series(1, 20000) n`
    await client.query(insertTasks, [scene.acme, scene.ids.bo])
    await client.query('analyze public.contacts, public.tasks')
    const rowsRead = async () => {
      const { rows } = await client.query<{ n: string }>(
        `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as n from pg_stat_xact_user_tables where relname in ('contacts', 'tasks')`,
      )
      return Number(rows[0]?.n)
    }
    const before = await rowsRead()
    const { rows } = await client.query<{ n: string }>(
      `select jsonb_array_length(private.calendar_of($1) -> 'events') as n`,
      [createdFeed.rows[0]?.secret],
    )
    expect(rows).toEqual([{ n: 1000 }])
    expect((await rowsRead()) - before).toBeLessThan(3_000)
  } finally {
    await client.query('rollback')
    client.release()
  }
})
