import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { syncedTables } from '#shared/synced-tables.ts'
import { openScene, refusalOf, type Scene } from './people.ts'

interface Page {
  epoch: string
  cursor: string
  full: boolean
  complete: boolean
  rows: Record<string, { id: string; user_id?: string; version: number; rev: number; brand_id?: string }[]>
  tombstones: { table: string; id: string; version: number }[]
  counts?: Record<string, number>
}

let scene: Scene
beforeEach(async () => {
  scene = await openScene()
})
afterEach(() => scene.drop())

const pullAtOnce = async (
  cursor: string | null,
  tables: string[] | null = null,
  limit = 1000,
  brand = scene.acme,
): Promise<Page> =>
  (await scene.as('bo')<{ page: Page }>('select pull($1, $2, $3, $4) as page', [brand, cursor, tables, limit])).rows[0]
    ?.page as Page

/** Pulls when all older transactions of the PostgreSQL cluster have ended. An open transaction of another test would make rows come twice. */
const pull: typeof pullAtOnce = async (...request) => {
  const { rows } = await scene.owner.query<{ id: string }>('select pg_current_xact_id()::text as id')
  const isOver = async () =>
    (await scene.owner.query('select where pg_snapshot_xmin(pg_current_snapshot())::text::bigint > $1', [rows[0]?.id]))
      .rowCount
  while (!(await isOver())) await new Promise((resume) => setTimeout(resume, 2))
  return pullAtOnce(...request)
}
const addTask = (title = 'Call', id = randomUUID()) =>
  scene
    .as('cy')('insert into tasks (brand_id, id, title) values ($1, $2, $3)', [scene.acme, id, title])
    .then(() => id)

describe('pull from the beginning', () => {
  it('a pull from the beginning returns all rows of the brand and no others, and the next pull returns nothing', async () => {
    await addTask()
    await scene.as('eve')(`insert into tasks (brand_id, title) values ($1, 'Foreign')`, [scene.umbra])
    const page = await pull(null)
    expect(page).toMatchObject({ full: true, complete: true, tombstones: [] })
    expect(Object.fromEntries(Object.entries(page.rows).map(([table, rows]) => [table, rows.length]))).toEqual({
      brands: 1,
      memberships: 4,
      pipelines: 1,
      deal_stages: 6,
      tasks: 1,
    })
    // Devices never keep all notes, so these are not counted.
    const counted = syncedTables.filter((table) => table !== 'notes')
    const zeroCounts = Object.fromEntries(counted.map((table) => [table, 0]))
    expect(page.counts).toEqual({ ...zeroCounts, brands: 1, memberships: 4, pipelines: 1, deal_stages: 6, tasks: 1 })
    expect(JSON.stringify(page)).not.toContain('Foreign')
    expect(JSON.stringify(page)).not.toContain(scene.umbra)
    expect(await pull(page.cursor)).toEqual({
      epoch: page.epoch,
      cursor: expect.any(String),
      full: false,
      complete: true,
      rows: {},
      tombstones: [],
    })
  })

  it('a pull from the beginning omits columns that only the database uses', async () => {
    await scene.as('bo')(`insert into contacts (brand_id, email) values ($1, 'A@x.y')`, [scene.acme])
    const [contact] = (await pull(null, ['contacts'])).rows.contacts ?? []
    expect(Object.keys(contact ?? {}).toSorted()).toEqual(
      'brand_id id first_name last_name email phone title company_id tag_ids owner_id import_id rev version created_at updated_at created_by updated_by custom'
        .split(' ')
        .toSorted(),
    )
  })

  it('a pull from the beginning returns pages of any size, and each row once', async () => {
    for (let n = 0; n < 23; n++) await addTask(`Task ${n}`)
    for (const limit of [1, 2, 5, 7, 23, 24]) {
      const ids: string[] = []
      let cursor: string | null = null
      for (let pages = 0; pages < 60; pages++) {
        const page: Page = await pull(cursor, ['deal_stages', 'tasks'], limit)
        const rows = Object.values(page.rows).flat()
        expect(page.full).toBe(true)
        expect(rows.length).toBeLessThanOrEqual(limit)
        ids.push(...rows.map(({ id }) => id))
        cursor = page.cursor
        if (page.complete) break
      }
      expect(ids.length).toBe(29)
      expect(new Set(ids).size).toBe(29)
    }
  })

  it('a pull from the beginning returns also a row with the lowest possible id', async () => {
    await addTask('Nil', '00000000-0000-0000-0000-000000000000')
    expect((await pull(null, ['tasks'])).rows.tasks?.length).toBe(1)
  })
})

describe('pull of changes', () => {
  it('a pull of changes returns the rows that were written, and the tombstones, since the cursor', async () => {
    const [changedTask, deletedTask] = [await addTask(), await addTask()]
    const { cursor } = await pull('now')
    await scene.as('cy')(`update tasks set title = 'Other' where brand_id = $1 and id = $2`, [scene.acme, changedTask])
    await scene.as('cy')('delete from tasks where brand_id = $1 and id = $2', [scene.acme, deletedTask])
    const page = await pull(cursor)
    expect(page).toMatchObject({ full: false, complete: true, tombstones: [{ table: 'tasks', id: deletedTask }] })
    expect(page.rows.tasks).toMatchObject([{ id: changedTask, version: 2 }])
    expect(page.counts?.tasks).toBe(1)
    expect((await pull(page.cursor)).rows).toEqual({})
  })

  it("a pull of changes from 'now' returns a cursor and counts, and no rows", async () => {
    await addTask()
    expect(await pull('now')).toMatchObject({
      full: false,
      complete: true,
      rows: {},
      tombstones: [],
      counts: { tasks: 1 },
    })
  })

  it('a pull of changes returns pages, tombstones included', async () => {
    const { cursor: start } = await pull('now')
    const [keptIds, goneIds] = [[] as string[], [] as string[]]
    for (let n = 0; n < 12; n++) keptIds.push(await addTask())
    for (let n = 0; n < 11; n++) goneIds.push(await addTask())
    // One transaction writes many rows with one revision.
    await scene.as('cy')('update tasks set title = $2 where brand_id = $1 and id = any ($3)', [
      scene.acme,
      'Same',
      keptIds,
    ])
    await scene.as('cy')('delete from tasks where brand_id = $1 and id = any ($2)', [scene.acme, goneIds])
    for (const limit of [1, 3, 11, 12, 13]) {
      const [ids, deletedIds] = [new Set<string>(), new Set<string>()]
      let cursor = start
      for (let pages = 0; pages < 60; pages++) {
        const page = await pull(cursor, null, limit)
        for (const { id } of page.rows.tasks ?? []) ids.add(id)
        for (const { id } of page.tombstones) deletedIds.add(id)
        cursor = page.cursor
        if (page.complete) break
      }
      expect([...ids].toSorted()).toEqual(keptIds.toSorted())
      expect([...deletedIds].toSorted()).toEqual(goneIds.toSorted())
    }
  })

  it('a pull of changes misses no row of a transaction that commits after a later one', async () => {
    const slowClient = await scene.owner.connect()
    await slowClient.query('begin')
    await scene.become(slowClient, 'cy')
    await slowClient.query(`insert into tasks (brand_id, title) values ($1, 'Slow')`, [scene.acme])
    await addTask('Quick')
    const first = await pullAtOnce(null, ['tasks'])
    expect(first.rows.tasks?.length).toBe(1)
    await slowClient.query('commit')
    slowClient.release()
    const second = await pullAtOnce(first.cursor, ['tasks'])
    expect((second.rows.tasks ?? []).map((row) => (row as { title?: string }).title)).toContain('Slow')
  })

  it('a pull of changes misses no row of many simultaneous writers, and its result equals the tables in the end', async () => {
    const deviceVersions = new Map<string, number>()
    let cursor: string | null = null
    let writing = true
    const writers = Array.from({ length: 3 }, async (_, w) => {
      for (let n = 0; n < 60; n++) {
        const id = await addTask(`W${w} ${n}`)
        if (n % 3 === 0)
          await scene.as('cy')(`update tasks set title = 'Changed' where brand_id = $1 and id = $2`, [scene.acme, id])
        if (n % 4 === 0) await scene.as('cy')('delete from tasks where brand_id = $1 and id = $2', [scene.acme, id])
      }
    })
    const allWriters = Promise.all(writers).finally(() => {
      writing = false
    })
    // The last pull must start after the last write: an earlier one may have read past the position of the written row.
    for (let last = false; ; ) {
      const page: Page = await pullAtOnce(cursor, ['tasks'], 7)
      for (const { id, version } of page.rows.tasks ?? [])
        if (version > (deviceVersions.get(id) ?? 0)) deviceVersions.set(id, version)
      for (const { id } of page.tombstones) deviceVersions.delete(id)
      cursor = page.cursor
      if (page.complete && last) break
      if (page.complete) last = !writing
    }
    await allWriters
    const { rows } = await scene.owner.query<{ id: string; version: number }>('select id, version from tasks')
    expect(deviceVersions).toEqual(new Map(rows.map(({ id, version }) => [id, version])))
  })

  it('a pull of changes returns a restored row with a version above the old one', async () => {
    const id = await addTask()
    await scene.as('cy')(`update tasks set title = 'Other' where brand_id = $1 and id = $2`, [scene.acme, id])
    const { cursor } = await pull('now')
    await scene.as('cy')('delete from tasks where brand_id = $1 and id = $2', [scene.acme, id])
    await addTask('Back', id)
    const page = await pull(cursor)
    expect(page.tombstones).toEqual([])
    expect(page.rows.tasks).toMatchObject([{ id, version: 3 }])
  })

  it('a pull of changes returns tombstones with the last version of their rows, below that of a restored row', async () => {
    const id = await addTask()
    await scene.owner.query('update tasks set title = title || $2 where id = $1', [id, '!'])
    const { cursor } = await pull('now')
    await scene.as('ana')('delete from tasks where id = $1', [id])
    expect((await pull(cursor)).tombstones).toEqual([{ table: 'tasks', id, version: 2 }])
    await scene.as('ana')('select restore_records($1, $2, $3)', [scene.acme, 'tasks', [id]])
    expect((await pull(cursor)).rows.tasks).toMatchObject([{ id, version: 3 }])
  })

  it('a pull of changes returns a tombstone for the membership of a member who left', async () => {
    const { cursor } = await pull('now')
    await scene.as('kim')('delete from memberships where brand_id = $1 and user_id = $2', [scene.acme, scene.ids.kim])
    expect((await pull(cursor)).tombstones).toEqual([{ table: 'memberships', id: scene.ids.kim, version: 1 }])
  })
})

describe('an invalid cursor starts from the beginning', () => {
  it('a cursor is invalid after a new epoch, in which every revision is above the old ones, and starts from the beginning', async () => {
    await addTask()
    const before = await pull(null)
    await scene.owner.query('select private.on_restore()')
    const after = await pull(before.cursor)
    expect(after.full).toBe(true)
    expect(after.epoch).not.toBe(before.epoch)
    const id = await addTask()
    const [row] = (await pull(after.cursor)).rows.tasks ?? []
    expect(row?.id).toBe(id)
    expect(row?.rev).toBeGreaterThan(Math.max(...(before.rows.tasks ?? []).map(({ rev }) => rev)))
  })

  it('a cursor is invalid in another PostgreSQL cluster, whose transaction ids start over, even if the server was not restarted', async () => {
    const id = await addTask()
    const before = await pull(null)
    // Like a restore into a new cluster: the rows have much higher revisions.
    await scene.owner.query('alter table tasks disable trigger user')
    await scene.owner.query('update tasks set rev = rev + 1000000')
    await scene.owner.query('alter table tasks enable trigger user')
    await scene.owner.query(`update private.sync_state set cluster = 'another'`)
    const page = await pull(before.cursor)
    expect(page.full).toBe(true)
    await scene.as('cy')(`update tasks set title = 'Later' where brand_id = $1 and id = $2`, [scene.acme, id])
    expect((await pull(page.cursor)).rows.tasks).toMatchObject([{ id, version: 2 }])
  })

  it('a cursor is invalid when the tombstones since then are deleted, and starts from the beginning', async () => {
    const id = await addTask()
    const { cursor } = await pull('now')
    await scene.as('cy')('delete from tasks where brand_id = $1 and id = $2', [scene.acme, id])
    await scene.owner.query(`update private.tombstones set deleted_at = now() - interval '91 days'`)
    await scene.owner.query('select private.prune()')
    expect((await pull(cursor)).full).toBe(true)
    expect((await pull((await pull('now')).cursor)).full).toBe(false)
  })

  it.each(['', 'nonsense', '~~~~', 'c~1', '\u0001', 'x'.repeat(5000)])(
    'a cursor that is %j is invalid, and starts from the beginning',
    async (cursor) => {
      expect((await pull(cursor)).full).toBe(true)
    },
  )

  it('a cursor of which one part was modified causes no error', async () => {
    const { cursor } = await pull(null, null, 3)
    const parts = cursor.split('~')
    for (let index = 1; index < parts.length; index++) {
      for (const junk of ['', 'x', '-1', '99999999999999999999', "'; drop table deals; --"])
        expect(await pull(parts.with(index, junk).join('~'), null, 3)).toHaveProperty('complete')
    }
  })

  it('a cursor stays valid after a restart of the server in the same PostgreSQL cluster', async () => {
    const { cursor } = await pull(null)
    await scene.owner.query('select private.on_server_start()')
    expect((await pull(cursor)).full).toBe(false)
  })
})

describe('pull refuses', () => {
  it('a pull refuses non-members, and unknown tables', async () => {
    expect(await refusalOf(pull(null, null, 10, scene.umbra))).toBe('P0001 NOT_AUTHORIZED')
    expect(await refusalOf(pull(null, ['pg_authid']))).toMatch(/^22023/)
    expect(await refusalOf(pull(null, ['tasks', null as never]))).toMatch(/^22023/)
  })
})
