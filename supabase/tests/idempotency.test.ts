import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, refusalOf, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())

const insertTask = (key: string, id: string, person: 'bo' | 'cy' = 'bo') =>
  scene.as(person)(`insert into tasks (brand_id, id, title) values ($1, $2, 'Call')`, [scene.acme, id], { key })

/** Returns the detail of the refusal PT409: table and id of the row that the first request has written. */
const refusalDetail = async (result: Promise<unknown>) => {
  const error = (await result.then(() => null).catch((reason: unknown) => reason)) as {
    code: string
    detail: string
  } | null
  expect(error?.code).toBe('PT409')
  return JSON.parse(error?.detail ?? 'null') as unknown
}

describe('a request with an Idempotency-Key', () => {
  it('a request with an Idempotency-Key is applied once; its repetition is refused with the table and id of the row', async () => {
    const [key, id] = [randomUUID(), randomUUID()]
    await insertTask(key, id)
    expect(await refusalDetail(insertTask(key, id))).toEqual({ table: 'tasks', id })
    // The key decides, not the id: a repetition with another id writes no second row.
    expect(await refusalDetail(insertTask(key, randomUUID()))).toEqual({ table: 'tasks', id })
    expect((await scene.as('bo')('select from tasks where id = $1', [id])).rowCount).toBe(1)
  })

  it('a request with an empty Idempotency-Key is applied each time, as one without a key', async () => {
    const insert = () => insertTask('', randomUUID())
    await insert()
    await insert()
    expect((await scene.owner.query(`select from private.applied_keys where key = ''`)).rowCount).toBe(0)
  })

  it('an Idempotency-Key belongs to its user: another user may use the same key', async () => {
    const key = randomUUID()
    await insertTask(key, randomUUID())
    await insertTask(key, randomUUID(), 'cy')
  })

  it('a request with an Idempotency-Key does not store the key if it changed nothing, and is applied when sent again', async () => {
    const [key, id] = [randomUUID(), randomUUID()]
    const finish = () =>
      scene.as('bo')(
        `update tasks set status = 'done' where brand_id = $1 and id = $2 and version = 1`,
        [scene.acme, id],
        { key },
      )
    expect((await finish()).rowCount).toBe(0)
    await insertTask(randomUUID(), id)
    expect((await finish()).rowCount).toBe(1)
    expect(await refusalOf(finish())).toBe('PT409 already applied')
  })

  it('a request with an Idempotency-Key does not store the key if it failed', async () => {
    const [key, id] = [randomUUID(), randomUUID()]
    const insert = (title: string) =>
      scene.as('bo')('insert into tasks (brand_id, id, title) values ($1, $2, $3)', [scene.acme, id, title], { key })
    expect(await refusalOf(insert(' '))).toMatch(/^23514/)
    await insert('Call')
  })

  it('a request with an Idempotency-Key may write several tables; the refusal of its repetition names the contact or brand that was requested', async () => {
    const key = randomUUID()
    const upsert = () =>
      scene.as('bo')<{ id: string }>(`select upsert_contact($1, 'k@x.y', 'K', null, 'Key Co') as id`, [scene.acme], {
        key,
      })
    const id = (await upsert()).rows[0]?.id
    // The contact already has these values, so the repetition writes nothing, and is not refused.
    expect((await upsert()).rows[0]?.id).toBe(id)
    const upsertOther = () =>
      scene.as('bo')(`select upsert_contact($1, 'k@x.y', 'Other', null, 'Key Co') as id`, [scene.acme], { key })
    expect(await refusalDetail(upsertOther())).toEqual({ table: 'contacts', id })
    const brand = randomUUID()
    const createBrand = () =>
      scene.as('bo')('insert into brands (id, name) values ($1, $2)', [brand, 'Keyed'], { key: brand })
    await createBrand()
    expect(await refusalDetail(createBrand())).toEqual({ table: 'brands', id: brand })
  })

  it('a request with an Idempotency-Key is applied once, however many copies arrive at the same time', async () => {
    for (let round = 0; round < 20; round++) {
      const [key, id] = [randomUUID(), randomUUID()]
      await insertTask(randomUUID(), id)
      const touch = () =>
        scene.as('bo')('update tasks set title = title || $3 where brand_id = $1 and id = $2', [scene.acme, id, '!'], {
          key,
        })
      const results = await Promise.allSettled(Array.from({ length: 4 }, touch))
      expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(1)
      expect((await scene.as('bo')('select title from tasks where id = $1', [id])).rows).toEqual([{ title: 'Call!' }])
    }
  })

  it('a request may come without an Idempotency-Key; a key of more than 200 characters is refused', async () => {
    await scene.as('bo')(`insert into tasks (brand_id, title) values ($1, 'a')`, [scene.acme])
    expect(await refusalOf(insertTask('x'.repeat(201), randomUUID()))).toMatch(/^22023/)
  })

  it('a stored Idempotency-Key is deleted after 30 days', async () => {
    const [key, id] = [randomUUID(), randomUUID()]
    await insertTask(key, id)
    await scene.owner.query(`update private.applied_keys set applied_at = now() - interval '31 days' where key = $1`, [
      key,
    ])
    await scene.owner.query('select private.prune()')
    expect((await scene.owner.query('select from private.applied_keys where key = $1', [key])).rowCount).toBe(0)
  })

  it('a trigger of every synced table deletes old Idempotency-Keys, at about 2 of 1,000 writes', async () => {
    const { rows } = await scene.owner.query<{ name: string }>(
      `select s.name from private.synced_tables s where not exists (
         select from pg_trigger t where t.tgrelid = format('public.%I', s.name)::regclass
           and t.tgfoid = 'private.prune_at_times()'::regprocedure and pg_get_triggerdef(t.oid) like '%random() < (0.002)%')`,
    )
    expect(rows).toEqual([])
    const [key, id] = [randomUUID(), randomUUID()]
    await insertTask(key, id)
    await scene.owner.query(`update private.applied_keys set applied_at = now() - interval '31 days' where key = $1`, [
      key,
    ])
    // Adds a trigger that calls the same function at every update of a task.
    await scene.owner.query(
      'create trigger prune_always before update on public.tasks for each statement execute function private.prune_at_times()',
    )
    await scene.as('bo')('update tasks set title = title where id = $1', [id])
    expect((await scene.owner.query('select from private.applied_keys where key = $1', [key])).rowCount).toBe(0)
  })
})
