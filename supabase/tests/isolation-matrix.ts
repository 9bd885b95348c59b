import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import {
  type Attempt,
  functionAttempt,
  nameColumn,
  plainTables,
  type Records,
  tableAttempts,
  type CallerIds,
} from './isolation-attempts.ts'
import type { Person, Scene } from './people.ts'

/** The callers, in the order of the table's columns. */
const people = { anon: 'nobody', stranger: 'gus', member: 'bo', admin: 'cy', owner: 'ana', removed: 'dee' } as const
export const callers = Object.keys(people) as (keyof typeof people)[]

/** The session's level, compared with the required level. The tokens of this test contain no level, so they count as aal1. */
type LevelOfBlock = 'enough' | 'own factor not proved' | 'second factor demanded'

interface Block {
  name: string
  brand: 'own' | 'foreign'
  level: LevelOfBlock
  /** True if the expected table has this block. A test checks that no attempt of the other blocks succeeds. */
  isKept: boolean
}

/** The blocks of the table. Each is for the callers' own or a foreign brand, and for one level of the session. */
export const blocks: readonly Block[] = (
  ['enough', 'own factor not proved', 'second factor demanded'] as const
).flatMap((level) =>
  (['own', 'foreign'] as const).map((brand) => ({
    name: `${brand} brand${level === 'enough' ? '' : `, ${level}`}`,
    brand,
    level,
    isKept: level === 'enough' || brand === 'own',
  })),
)

/** One cell: the outcome of one attempt. */
export interface Cell extends Pick<Attempt, 'what' | 'way'> {
  /** A block's name. */
  block: string
  caller: keyof typeof people
  /** rows, nothing, refused (no right, or a policy), or the error: its message if SQL of the product raised it, else its code. */
  outcome: string
}

/**
 * Tries, as every caller, every command on every table in every variant, and every function, on the callers' own brand and on a foreign
 * one, with a sufficient and with a too low level. Each attempt is rolled back. Tables and functions come from the catalogue, so a new one
 * is included automatically. The attempts go to the database directly: the database itself must refuse what the REST server would
 * refuse first (a change without a filter). `only`: the cells of one table or function.
 */
export async function isolationMatrix(scene: Scene, only?: string): Promise<Cell[]> {
  const records = { own: await addRecords(scene, 'ana'), foreign: await addRecords(scene, 'eve') }
  const sessions = await secondSessions(scene)
  const isWanted = (name: string) => only === undefined || name === only
  const tables = await tablesOf(scene)
  const functions = await namesOf(
    scene,
    `select proname as name from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
  )
  const cells: Cell[] = []
  const client = await scene.owner.connect()
  try {
    for (const { name: block, brand, level } of blocks) {
      await setLevel(scene, level)
      const fingerprint = fingerprintOf(tables, records[brand].brand)
      const before = await hashOf(client, fingerprint)
      const target = { client, fingerprint, before, brand: records[brand].brand }
      for (const caller of callers) {
        const person = people[caller]
        const callerIds: CallerIds = {
          id: person === 'nobody' ? randomUUID() : scene.ids[person],
          otherSession: sessions.get(person) ?? randomUUID(),
          outsider: scene.ids.gus,
        }
        const attempts = [
          ...tables
            .filter(({ name }) => isWanted(name))
            .flatMap(({ name }) => tableAttempts(name, records[brand], callerIds)),
          ...functions.filter(isWanted).map((name) => functionAttempt(name, records[brand], callerIds)),
        ]
        for (const attempt of attempts) {
          const outcome = await outcomeOf(scene, person, attempt, target)
          cells.push({ block, caller, what: attempt.what, way: attempt.way, outcome })
        }
      }
    }
  } finally {
    client.release()
    await setLevel(scene, 'enough')
  }
  return cells
}

interface BrandUnderTest {
  client: pg.PoolClient
  brand: string
  /** SQL that returns a hash of all rows of the brand. */
  fingerprint: string
  /** The hash before the attempts. */
  before: string
}

async function outcomeOf(scene: Scene, person: Person, attempt: Attempt, target: BrandUnderTest): Promise<string> {
  const { client, brand, fingerprint, before } = target
  const { text, values, counts } = attempt
  await client.query('begin')
  try {
    await scene.become(client, person)
    const { rows, rowCount } = await client.query<Record<string, unknown>>(text, values)
    if (counts === 'read') return rows.some((row) => (row.brand_id ?? row.id) === brand) ? 'rows' : 'nothing'
    if (!rowCount) return 'nothing'
    if (counts === 'any') return 'rows'
    // Compares the rows of this brand, because the statement may have changed only rows of other brands.
    await client.query('reset role')
    return (await hashOf(client, fingerprint)) === before ? 'nothing' : 'rows'
  } catch (error) {
    const { code, message } = error as pg.DatabaseError
    if (code === '42501') return 'refused'
    return code !== undefined && /^(P0001|BY\d{3})$/.test(code) ? message : String(code)
  } finally {
    await client.query('rollback')
  }
}

interface Table {
  name: string
  brandColumn: string
}

async function tablesOf(scene: Scene): Promise<Table[]> {
  const { rows } = await scene.owner.query<Table>(
    `select c.relname as name, case when c.relname = 'brands' then 'id' else 'brand_id' end as "brandColumn"
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f') order by 1`,
  )
  return rows
}

async function namesOf(scene: Scene, text: string): Promise<string[]> {
  return (await scene.owner.query<{ name: string }>(text)).rows.map(({ name }) => name)
}

function fingerprintOf(tables: readonly Table[], brand: string): string {
  const rows = tables.map(
    ({ name, brandColumn }) =>
      `select '${name} ' || t::text as row from public.${name} t where t.${brandColumn} = '${brand}'`,
  )
  return `select md5(string_agg(a.row, '|' order by a.row)) as hash from (${rows.join(' union all ')}) a`
}

async function hashOf(client: pg.ClientBase, fingerprint: string): Promise<string> {
  return (await client.query<{ hash: string }>(fingerprint)).rows[0]?.hash ?? ''
}

/** Gives everybody a factor that their session has not verified, lets all brands demand a factor that nobody has, or undoes both. */
async function setLevel({ owner, ids }: Scene, level: LevelOfBlock): Promise<void> {
  await owner.query('delete from auth.mfa_factors')
  if (level === 'own factor not proved') {
    await owner.query(
      `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
       select gen_random_uuid(), id, 'totp', 'verified', now(), now() from unnest($1::uuid[]) id`,
      [Object.values(ids)],
    )
  }
  await owner.query('update public.brands set requires_second_factor = $1', [level === 'second factor demanded'])
}

/** Adds a second session at aal2 for each person. */
async function secondSessions({ owner, ids }: Scene): Promise<Map<string, string>> {
  const sessions = new Map<string, string>()
  for (const [person, id] of Object.entries(ids)) {
    const session = randomUUID()
    await owner.query(`insert into auth.sessions (id, user_id, aal) values ($1, $2, 'aal2')`, [session, id])
    sessions.set(person, session)
  }
  return sessions
}

/** Adds records to a brand, which a missing policy would show. Writes them with the rights of the secret key. Returns their ids. */
async function addRecords(scene: Scene, person: 'ana' | 'eve'): Promise<Records> {
  const query = scene.as('service')
  const brand = person === 'ana' ? scene.acme : scene.umbra
  const idFrom = async (text: string, values: unknown[] = []) =>
    String((await query<{ id: string }>(text, [brand, ...values])).rows[0]?.id)
  const stage = await idFrom('select id from deal_stages where brand_id = $1 order by position limit 1')
  const emptyStage = await idFrom(`insert into deal_stages (brand_id, name) values ($1, 'Later') returning id`)
  const rows: Record<string, string> = {}
  for (const table of plainTables)
    rows[table] = await idFrom(
      `insert into ${table} (brand_id, ${nameColumn(table)}) values ($1, 'Borealis') returning id`,
    )
  const contact = await idFrom(
    `insert into contacts (brand_id, email, company_id) values ($1, 'zoe@example.com', $2) returning id`,
    [rows.companies],
  )
  const deal = await idFrom(
    `insert into deals (brand_id, name, stage_id, contact_id) values ($1, 'Migration', $2, $3) returning id`,
    [stage, contact],
  )
  const note = await idFrom(`insert into notes (brand_id, body, contact_id) values ($1, 'Secret', $2) returning id`, [
    contact,
  ])
  await query('update tasks set deal_id = $2 where brand_id = $1', [brand, deal])
  await query('update deals set amount = 5 where brand_id = $1 and id = $2', [brand, deal])
  const otherContact = await idFrom(
    `insert into contacts (brand_id, email) values ($1, 'kai@example.com') returning id`,
  )
  const dealContact = await idFrom(
    `insert into deal_contacts (brand_id, deal_id, contact_id, role) values ($1, $2, $3, 'pays') returning id`,
    [deal, contact],
  )
  const invitation = await idFrom(
    `insert into invitations (brand_id, email, sent_at) values ($1, 'new@example.com', now() - interval '1 day') returning id`,
  )
  // Each member has their own notification.
  await query(
    `insert into notifications (brand_id, id, user_id, kind, title)
     select brand_id, md5(brand_id::text || user_id)::uuid, user_id, 'assigned', 'Migration' from memberships where brand_id = $1`,
    [brand],
  )
  const importId = randomUUID()
  await query(`select import_contacts($1, $2, '[{"row": 2, "phone": "0100"}]')`, [brand, importId])
  const tag = await idFrom(`insert into tags (brand_id, name) values ($1, 'Second') returning id`)
  const field = await idFrom(
    `insert into custom_fields (brand_id, "table", label, type) values ($1, 'deals', 'Region', 'text') returning id`,
  )
  await query('update deals set custom = $3 where brand_id = $1 and id = $2', [brand, deal, { [field]: 'North' }])
  const deletedTask = await idFrom(`insert into tasks (brand_id, title) values ($1, 'Gone') returning id`)
  await query('delete from tasks where brand_id = $1 and id = $2', [brand, deletedTask])
  const other = person === 'ana' ? scene.ids.kim : scene.ids.lou
  const more = { dealContact, otherContact, tag, field }
  return { brand, other, stage, emptyStage, contact, deal, note, rows, invitation, importId, ...more }
}
