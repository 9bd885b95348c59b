import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { backUp } from '#server/db/backup.ts'
import { platformMigrations, productMigrations } from '#server/db/project-root.ts'
import { restore } from '#server/db/restore.ts'
import { testDatabase } from '#tests/harness/database.ts'
import { openScene, type Person, refusalOf, type Scene } from './people.ts'

let scene: Scene
beforeEach(async () => {
  scene = await openScene()
})
afterEach(() => scene.drop())

const createBrand = (by: Person, id: string, name = 'Anew') =>
  scene.as(by)('insert into brands (id, name) values ($1, $2)', [id, name])
const deleteBrand = (by: Person, id: string) => scene.as(by)('delete from brands where id = $1', [id])
const idTaken = '23505 duplicate key value violates unique constraint "brands_pkey"'

describe('the id of a deleted brand', () => {
  it('the id of a deleted brand cannot be used again, and everybody gets the error of an id in use', async () => {
    expect(await refusalOf(createBrand('gus', scene.acme))).toBe(idTaken)
    await deleteBrand('ana', scene.acme)
    for (const person of ['gus', 'dee', 'bo', 'ana', 'service'] as const)
      expect(await refusalOf(createBrand(person, scene.acme))).toBe(idTaken)
    expect(
      await refusalOf(scene.owner.query('insert into brands (id, name) values ($1, $2)', [scene.acme, 'Anew'])),
    ).toBe(idTaken)
    const errorOfCreating = async (id: string) => {
      const error: Record<string, unknown> = await createBrand('gus', id).then(
        () => ({}),
        (refused) => refused,
      )
      const { code, message, detail, schema, table, constraint } = error
      return { code, message, detail, schema, table, constraint }
    }
    expect(await errorOfCreating(scene.acme)).toEqual(await errorOfCreating(scene.umbra))
    expect((await scene.as('gus')('select from brands')).rowCount).toBe(0)
  })

  it('the id of a deleted brand cannot become the new id of another brand', async () => {
    await deleteBrand('ana', scene.acme)
    const id = randomUUID()
    await scene.as('service')('insert into brands (id, name) values ($1, $2)', [id, 'Movable'])
    for (const table of ['deal_stages', 'pipelines'])
      await scene.as('service')(`delete from ${table} where brand_id = $1`, [id])
    const move = (to: string) => scene.as('service')('update brands set id = $2 where id = $1', [id, to])
    expect(await refusalOf(move(scene.acme))).toBe(idTaken)
    await move(randomUUID())
    expect(await refusalOf(createBrand('gus', id, 'Old place'))).toBe(idTaken)
  })

  it('no row of the list of used ids of brands can be deleted, and no caller can read the list', async () => {
    await deleteBrand('ana', scene.acme)
    for (const text of ['delete from private.brand_lives', 'truncate private.brand_lives'])
      expect(await refusalOf(scene.owner.query(text))).toMatch(/^42501/)
    for (const person of ['ana', 'service'] as const)
      expect(await refusalOf(scene.as(person)('select from private.brand_lives'))).toMatch(/^42501/)
  })

  it('of ten parallel inserts of a brand with the same id one is accepted; an insert that waits while this brand is deleted is refused', async () => {
    const id = randomUUID()
    const results = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => createBrand('gus', id, `Ten ${n}`)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const client = await scene.owner.connect()
    try {
      await client.query('begin')
      await client.query('delete from brands where id = $1', [id])
      const lateRefusal = refusalOf(createBrand('eve', id, 'Late'))
      await new Promise((resolve) => setTimeout(resolve, 200))
      await client.query('commit')
      expect(await lateRefusal).toBe(idTaken)
    } finally {
      client.release()
    }
  })
})

it('a restored backup contains the used ids of brands, and who has opened which brand', async () => {
  await deleteBrand('ana', scene.acme)
  await scene.as('lou')('select open_brand($1)', [scene.umbra])
  const folder = mkdtempSync(join(tmpdir(), 'banyan-lives-'))
  const file = join(folder, 'all.backup')
  const target = await testDatabase({ empty: true })
  try {
    const { host, user, database } = scene.owner.options
    writeFileSync(join(folder, 'keys.json'), '{}')
    await backUp({ connection: { host, user, database }, dataDir: folder, file })
    const sources = [platformMigrations(), productMigrations()]
    await restore({ connect: async () => ({ connectionString: target.url }), dataDir: folder, file, sources })
    const insertWithUsedId = target.owner.query('insert into brands (id, name) values ($1, $2)', [scene.acme, 'Anew'])
    expect(await refusalOf(insertWithUsedId)).toBe(idTaken)
    const { rows } = await target.owner.query('select user_id from private.brand_openings order by user_id = $1', [
      scene.ids.lou,
    ])
    expect(rows).toEqual([{ user_id: scene.ids.eve }, { user_id: scene.ids.lou }])
  } finally {
    await target.drop()
    rmSync(folder, { recursive: true })
  }
})

it('the audit log shows nothing from before its brand was created', async () => {
  await scene.owner.query(
    `insert into private.brand_events (brand_id, at, event, detail) values ($1, now() - interval '1 day', 'invitation_sent', '{"email": "old@example.com"}')`,
    [scene.acme],
  )
  const { rows } = await scene.as('ana')('select event, detail from audit_log($1)', [scene.acme])
  expect(rows.length).toBeGreaterThan(3)
  expect(JSON.stringify(rows)).not.toContain('old@example.com')
})

describe('rows that outlive a brand', () => {
  it('rows that outlive a brand are only in the list of used ids and the audit log; its former owner gets no live changes and no presence', async () => {
    const { acme, owner } = scene
    await scene.as('ana')('insert into tasks (brand_id, title) values ($1, $2)', [acme, 'Call'], { key: randomUUID() })
    await scene.as('ana')('delete from tasks where brand_id = $1', [acme])
    await scene.as('ana')('select open_brand($1)', [acme])
    await deleteBrand('ana', acme)
    // Finds every table of the schemas public, private and auth in which a row contains the id of the brand.
    const { rows: tables } = await owner.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c
       where c.relkind = 'r' and c.relnamespace::regnamespace::text in ('public', 'private', 'auth')`,
    )
    const tablesWithBrandId: string[] = []
    for (const { name } of tables) {
      const { rowCount } = await owner.query(`select from ${name} t where to_jsonb(t)::text like $1`, [`%${acme}%`])
      if (rowCount) tablesWithBrandId.push(name)
    }
    // Nobody can read the rows that are left: only an owner of the brand could read its audit log, and the id cannot be used again.
    expect(tablesWithBrandId.sort()).toEqual(['private.brand_events', 'private.brand_lives'])
    const claims = JSON.stringify([{ role: 'authenticated', sub: scene.ids.ana, session_id: scene.ids.ana }])
    expect((await owner.query('select from private.may_hear($1, $2)', [claims, [acme]])).rowCount).toBe(0)
    const readTopic = `select from realtime.messages where set_config('realtime.topic', $1, true) is not null`
    expect((await scene.as('ana')(readTopic, [`brand:${acme}`])).rowCount).toBe(0)
  })

  it('the waiting mails of a deleted brand’s invitations are deleted', async () => {
    const invite = async (brand: string, by: Person, email: string) =>
      (await scene.as(by)<{ id: string }>('select invite_member($1, $2) as id', [brand, email])).rows[0]?.id
    const waitingRecipients = async () =>
      (await scene.owner.query('select recipient from private.mail_outbox order by 1')).rows.map((row) => row.recipient)
    const firstInvitation = await invite(scene.acme, 'ana', 'first@example.com')
    await invite(scene.acme, 'ana', 'second@example.com')
    await invite(scene.umbra, 'eve', 'other@example.com')
    await scene.as('ana')('select withdraw_invitation($1, $2)', [scene.acme, firstInvitation])
    expect(await waitingRecipients()).toEqual(['other@example.com', 'second@example.com'])
    await deleteBrand('ana', scene.acme)
    expect(await waitingRecipients()).toEqual(['other@example.com'])
  })
})
