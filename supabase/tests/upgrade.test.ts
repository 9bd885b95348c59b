import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backUp } from '#server/db/backup.ts'
import { migrate } from '#server/db/migrate.ts'
import { externalConnection } from '#server/db/external-database.ts'
import { platformMigrations, productMigrations } from '#server/db/project-root.ts'
import { restore } from '#server/db/restore.ts'
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts'
import { readCatalogue } from './read-catalogue.ts'

/** The migrations before release 0.1.0 that the chapters have replaced; their checksums are in supabase/squashed. */
const replacedMigrations = JSON.parse(
  gunzipSync(readFileSync(join(import.meta.dirname, 'replaced-migrations.json.gz'))).toString(),
) as { name: string; text: string }[]
const sources = () => [platformMigrations(), productMigrations()]

/** A database created by the replaced migrations, with users and records, and then upgraded. */
let database: TestDatabase
let backup: TestDatabase
let freshDatabase: TestDatabase
let cursor: string
let deletedContact: string
const folder = mkdtempSync(join(tmpdir(), 'banyan-upgrade-'))
const [ana, bo, dee, acme, deletedBrand, deal] = [
  randomUUID(),
  randomUUID(),
  randomUUID(),
  randomUUID(),
  randomUUID(),
  randomUUID(),
]

/** Runs one statement as a person at aal1. */
async function runAs<Row extends Record<string, unknown>>(
  user: string,
  text: string,
  values: unknown[] = [],
  key: string | null = null,
) {
  const client = await database.owner.connect()
  try {
    await client.query('begin')
    const claims = JSON.stringify({ role: 'authenticated', sub: user, session_id: user, aal: 'aal1' })
    const headers = JSON.stringify(key === null ? {} : { 'idempotency-key': key })
    await client.query(
      `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true), set_config('request.headers', $2, true)`,
      [claims, headers],
    )
    const { rows } = await client.query<Row>(text, values)
    await client.query('commit')
    return rows
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

async function pullPage(from: string | null) {
  const [result] = await runAs<{
    page: { cursor: string; full: boolean; rows: Record<string, Record<string, unknown>[]> }
  }>(bo, 'select pull($1, $2) as page', [acme, from])
  return result?.page
}

async function runServerStart() {
  await database.owner.query('select private.on_server_start()')
  await database.owner.query(`select private.on_server_settings('{"mail": true, "sign_up": "open"}')`)
}

beforeAll(async () => {
  mkdirSync(join(folder, 'replaced'))
  for (const { name, text } of replacedMigrations) writeFileSync(join(folder, 'replaced', name), text)
  database = await testDatabase({ empty: true })
  const { owner } = database
  await migrate(owner, [platformMigrations(), { name: 'product', folder: join(folder, 'replaced') }])
  await runServerStart()
  for (const [id, name] of [
    [ana, 'ana'],
    [bo, 'bo'],
    [dee, 'dee'],
  ]) {
    await owner.query('insert into auth.users (id, email, email_confirmed_at) values ($1, $2, now())', [
      id,
      `${name}@example.com`,
    ])
    await owner.query('insert into auth.sessions (id, user_id) values ($1, $1)', [id])
  }
  await runAs(ana, 'insert into brands (id, name) values ($1, $2)', [acme, 'Acme'])
  await runAs(ana, 'insert into brands (id, name) values ($1, $2)', [deletedBrand, 'Gone'])
  await runAs(ana, 'delete from brands where id = $1', [deletedBrand])
  await runAs(ana, `select add_brand_member_by_email($1, 'bo@example.com')`, [acme])
  await runAs(ana, `select add_brand_member_by_email($1, 'dee@example.com', 'admin')`, [acme])
  await runAs(ana, `select invite_member($1, 'new@example.com', 'admin')`, [acme])
  await runAs(bo, 'select open_brand($1)', [acme])
  await runAs(bo, `select quick_create_deal($1, 'Roof', null, $2)`, [acme, deal], 'roof')
  await runAs(bo, `insert into tasks (brand_id, title, due_at) values ($1, 'Call', now() + interval '1 day')`, [acme])
  await runAs(bo, `select upsert_contact($1, 'zoe@example.com', 'Zoe', null, 'Zoo')`, [acme])
  const [contact] = await runAs<{ id: string }>(bo, 'select id from contacts')
  deletedContact = contact?.id ?? ''
  await runAs(bo, 'update deals set contact_id = $1', [deletedContact])
  await runAs(bo, 'delete from contacts')
  cursor = (await pullPage(null))?.cursor ?? ''
  writeFileSync(join(folder, 'keys.json'), '{}')
  await backUp({ connection: externalConnection(database.url), dataDir: folder, file: join(folder, 'all.backup') })
  // Adds objects, as an operator could have done.
  await owner.query(`
    create table public.wiki (brand_id uuid, body text);
    alter table public.wiki enable row level security;
    grant select on public.wiki to authenticated;
    insert into public.wiki values ('${acme}', 'kept');
    create policy "members read" on public.wiki for select to authenticated using (auth.uid() is not null)`)
  await migrate(owner, sources())
  await runServerStart()
  freshDatabase = await testDatabase()
  backup = await testDatabase({ empty: true })
})
afterAll(async () => {
  await Promise.all([database.drop(), freshDatabase.drop(), backup.drop()])
  rmSync(folder, { recursive: true })
})

/** Returns the catalogue without the operator's objects. */
async function productCatalogue({ owner }: TestDatabase) {
  const catalogue = Object.entries(await readCatalogue(owner))
  return Object.fromEntries(catalogue.filter(([name]) => !name.includes('wiki')))
}

const recordedMigrations = async ({ owner }: TestDatabase) =>
  (await owner.query('select source, name, checksum from server.migrations order by source, name')).rows

describe('a database from before the first release', () => {
  it('an upgraded database from before the first release has the same definitions and the same list of migrations as a new one', async () => {
    const upgraded = await productCatalogue(database)
    expect(Object.keys(upgraded).length).toBeGreaterThan(1_000)
    expect(upgraded).toEqual(await productCatalogue(freshDatabase))
    expect(await recordedMigrations(database)).toEqual(await recordedMigrations(freshDatabase))
    expect(await migrate(database.owner, sources())).toBe(0)
  })

  it('a database from before the first release keeps its members and records', async () => {
    const memberships = await runAs(ana, 'select user_id, role, opened_at is not null as opened from memberships')
    expect(memberships).toHaveLength(3)
    expect(memberships).toEqual(
      expect.arrayContaining([
        { user_id: ana, role: 'owner', opened: true },
        { user_id: bo, role: 'member', opened: true },
        { user_id: dee, role: 'admin', opened: false },
      ]),
    )
    expect(await runAs(bo, 'select name, contact_id from deals')).toEqual([{ name: 'Roof', contact_id: null }])
    expect(await runAs(ana, 'select email, role from invitations')).toEqual([
      { email: 'new@example.com', role: 'admin' },
    ])
    const events = await runAs<{ event: string }>(ana, 'select event from audit_log($1)', [acme])
    expect(events.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['member_joined', 'member_added', 'invitation_sent']),
    )
  })

  it('a database from before the first release still accepts the cursors and operations of devices, and restores deleted records', async () => {
    expect(await pullPage(cursor)).toMatchObject({ full: false, rows: {} })
    await expect(
      runAs(bo, `select quick_create_deal($1, 'Roof', null, $2)`, [acme, deal], 'roof'),
    ).rejects.toMatchObject({
      code: 'PT409',
    })
    expect(await runAs(bo, `select restore_records($1, 'contacts', $2) as ids`, [acme, [deletedContact]])).toEqual([
      { ids: [deletedContact] },
    ])
    expect(await runAs(bo, 'select contact_id from deals')).toEqual([{ contact_id: deletedContact }])
    expect((await pullPage(cursor))?.rows).toMatchObject({
      contacts: [{ id: deletedContact, version: 2 }],
      deals: [{ id: deal, contact_id: deletedContact }],
    })
  })

  it('a database from before the first release still refuses the id of a deleted brand', async () => {
    await expect(
      runAs(bo, 'insert into brands (id, name) values ($1, $2)', [deletedBrand, 'Again']),
    ).rejects.toMatchObject({
      code: '23505',
      constraint: 'brands_pkey',
    })
  })

  it('a database from before the first release keeps objects that an operator added', async () => {
    expect(await runAs(bo, 'select body from wiki')).toEqual([{ body: 'kept' }])
  })

  it('a backup of a database from before the first release is restored by this release', async () => {
    const file = join(folder, 'all.backup')
    const connect = async () => externalConnection(backup.url)
    await restore({ connect, dataDir: join(folder, 'restored'), file, sources: sources() })
    expect(await productCatalogue(backup)).toEqual(await productCatalogue(freshDatabase))
    expect(await recordedMigrations(backup)).toEqual(await recordedMigrations(freshDatabase))
    const { rows } = await backup.owner.query('select id, name, contact_id from deals')
    expect(rows).toEqual([{ id: deal, name: 'Roof', contact_id: null }])
  })

  it('an open task with a later due date gets its reminder, in an upgraded and in a restored database', async () => {
    const reminders = 'select count(*)::int as n from private.reminders join public.tasks on id = task_id'
    for (const { owner } of [database, backup]) expect((await owner.query(reminders)).rows).toEqual([{ n: 1 }])
  })

  it('the two files with the provisional function of reminders change nothing in a database that has all later migrations', async () => {
    const lateMigrations = ['20261215000150%', '20261216000050%']
    await backup.owner.query('delete from server.migrations where name like any ($1)', [lateMigrations])
    expect(await migrate(backup.owner, sources())).toBe(2)
    expect(await productCatalogue(backup)).toEqual(await productCatalogue(freshDatabase))
  })
})
