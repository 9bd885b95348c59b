import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MigrationSource, migrate } from '#server/db/migrate.ts'
import { platformMigrations, productMigrations } from '#server/db/project-root.ts'
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts'

/** A database of the release before the second factor came into every policy, with people who work in it. */
let database: TestDatabase
const folder = mkdtempSync(join(tmpdir(), 'banyan-upgrade-'))
const [ana, bo, dee, acme, gone] = [randomUUID(), randomUUID(), randomUUID(), randomUUID(), randomUUID()]

/** The files of a source whose names come before this one. */
function before(source: MigrationSource, first: string): MigrationSource {
  const copy = join(folder, source.name)
  cpSync(source.folder, copy, { recursive: true })
  for (const name of readdirSync(copy)) if (name >= first) rmSync(join(copy, name))
  return { name: source.name, folder: copy }
}

/** One statement of somebody, at the level of their password. */
async function as<Row extends Record<string, unknown>>(user: string, text: string, values: unknown[] = []) {
  const client = await database.owner.connect()
  try {
    await client.query('begin')
    const claims = JSON.stringify({ role: 'authenticated', sub: user, session_id: user, aal: 'aal1' })
    await client.query(`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`, [
      claims,
    ])
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

beforeAll(async () => {
  database = await testDatabase({ empty: true })
  const { owner } = database
  await migrate(owner, [before(platformMigrations(), '0011'), before(productMigrations(), '20261124')])
  await owner.query('select private.on_server_start()')
  await owner.query(`select private.on_server_settings('{"mail": true, "sign_up": "open"}')`)
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
  await as(ana, 'insert into brands (id, name) values ($1, $2)', [acme, 'Acme'])
  await as(ana, 'insert into brands (id, name) values ($1, $2)', [gone, 'Gone'])
  await as(ana, 'delete from brands where id = $1', [gone])
  await as(ana, `select add_brand_member_by_email($1, 'bo@example.com')`, [acme])
  await as(ana, `select add_brand_member_by_email($1, 'dee@example.com', 'admin')`, [acme])
  await as(ana, `select invite_member($1, 'new@example.com', 'admin')`, [acme])
  await as(ana, `select invite_member($1, U&'hid\\200Bden@example.com')`, [acme])
  await as(dee, `select invite_member($1, 'of.dee@example.com')`, [acme])
  await as(ana, 'delete from memberships where brand_id = $1 and user_id = $2', [acme, dee])
  await as(bo, `select quick_create_deal($1, 'Roof', null)`, [acme])
  await as(bo, `select upsert_contact($1, U&'zo\\200Be@example.com', U&'\\200B')`, [acme])
  // What an operator of Supabase put beside the product's own.
  await owner.query(`
    create table public.wiki (brand_id uuid, body text);
    alter table public.wiki enable row level security;
    grant select on public.wiki to authenticated;
    insert into public.wiki values ('${acme}', 'kept');
    create policy "members read" on public.wiki for select to authenticated using (auth.uid() is not null)`)
  await migrate(owner, [platformMigrations(), productMigrations()])
  await owner.query('select private.on_server_start()')
  await owner.query(`select private.on_server_settings('{"mail": true, "sign_up": "open", "proves_addresses": true}')`)
})
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true })
})

it('everybody is where they were, and what they made is theirs', async () => {
  expect(
    await as(bo, 'select role, opened_at = created_at as opened from memberships where user_id = $1', [bo]),
  ).toEqual([{ role: 'member', opened: true }])
  expect(await as(bo, 'select name from deals')).toEqual([{ name: 'Roof' }])
  expect(await as(bo, 'select unopened_brands()')).toEqual([])
  await as(bo, 'select open_brand($1)', [acme])
  const pulled = await as<{ page: { rows: Record<string, unknown[]> } }>(bo, 'select pull($1) as page', [acme])
  expect(pulled[0]?.page.rows.deals).toHaveLength(1)
  expect(await as(dee, 'select name from deals')).toEqual([])
})

it('records of before with characters that nobody sees are worked on as they are', async () => {
  const [contact] = await as<{ id: string; email: string }>(bo, 'select id, email from contacts')
  expect(contact?.email).toBe('zo\u200be@example.com')
  await as(bo, `update contacts set title = 'Buyer' where id = $1`, [contact?.id])
  expect(await as(bo, 'select title from contacts')).toEqual([{ title: 'Buyer' }])
})

it('invitations go on, but for those whose inviter is gone', async () => {
  expect(await as(ana, 'select email from invitations order by email')).toEqual([
    { email: 'hid\u200bden@example.com' },
    { email: 'new@example.com' },
  ])
  await database.owner.query(`update invitations set sent_at = now() - interval '1 hour'`)
  for (const { id } of await as<{ id: string }>(ana, 'select id from invitations'))
    await as(ana, 'select resend_invitation($1, $2)', [acme, id])
  const user = randomUUID()
  await database.owner.query('insert into auth.users (id, email, email_confirmed_at) values ($1, $2, now())', [
    user,
    'new@example.com',
  ])
  expect(await as(ana, 'select role from memberships where user_id = $1', [user])).toEqual([{ role: 'admin' }])
})

it('the log is there from the first day of each brand, and no id of a brand that was is free', async () => {
  const events = (await as<{ event: string }>(ana, 'select event from audit_log($1)', [acme])).map(({ event }) => event)
  expect(events).toEqual(
    expect.arrayContaining([
      'member_joined',
      'member_added',
      'member_removed',
      'invitation_sent',
      'invitation_withdrawn',
    ]),
  )
  await expect(as(bo, 'insert into brands (id, name) values ($1, $2)', [gone, 'Again'])).rejects.toMatchObject({
    code: '23505',
    constraint: 'brands_pkey',
  })
})

it('what somebody put beside the product keeps its policies', async () => {
  expect(await as(bo, 'select body from wiki')).toEqual([{ body: 'kept' }])
})
