import type pg from 'pg'
import type { Person, Scene } from './people.ts'

/** Who tries, in the words of the table. */
const callers = { anon: 'nobody', stranger: 'gus', member: 'bo', admin: 'cy', owner: 'ana', removed: 'dee' } as const

/** Functions about the caller alone: no brand goes in, and everybody who is signed in may call them. */
export const PERSONAL: Readonly<Record<string, string>> = {
  accept_invitations: '',
  brands_behind_second_factor: '',
  capabilities: '',
  delete_my_account: '',
  end_other_sessions: '',
  end_session: `'11111111-1111-4111-8111-111111111111'`,
  export_my_data: '',
  my_sessions: '',
}

const commands = ['select', 'insert', 'update', 'delete'] as const

/** One cell: what came of one attempt. */
export interface Cell {
  what: string
  caller: keyof typeof callers
  brand: 'own' | 'foreign'
  /** rows, nothing, refused (no right, or a policy said no), or the error that was raised. */
  outcome: string
}

interface Attempt {
  text: string
  values: unknown[]
}

/** What the people of one brand find there. */
interface Records {
  brand: string
  /** A member who is neither the caller nor an owner. */
  other: string
  stage: string
  emptyStage: string
  company: string
  contact: string
  deal: string
  task: string
  invitation: string
}

/**
 * Every caller × every table of the schema × every command, and every function of it, on the brand that Acme's people
 * belong to (own) and on another one (foreign); each attempt is rolled back. Tables and functions come from the catalogue:
 * a new one is in the matrix by itself. `only`: the cells of one table or function.
 */
export async function isolationMatrix(scene: Scene, only?: string): Promise<Cell[]> {
  const records = { own: await fill(scene, 'ana'), foreign: await fill(scene, 'eve') }
  const { rows: tables } = await scene.owner.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') order by 1`,
  )
  const { rows: functions } = await scene.owner.query<{ name: string }>(
    `select proname as name from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
  )
  const isWanted = ({ name }: { name: string }) => only === undefined || name === only
  const cells: Cell[] = []
  for (const brand of ['own', 'foreign'] as const) {
    for (const caller of Object.keys(callers) as (keyof typeof callers)[]) {
      const attempt = async (what: string, { text, values }: Attempt) =>
        cells.push({ what, caller, brand, outcome: await outcomeOf(scene, callers[caller], text, values) })
      for (const { name } of tables.filter(isWanted)) {
        for (const command of commands)
          await attempt(`${name} ${command}`, tableAttempt(name, command, records[brand], scene.ids.gus))
      }
      for (const { name } of functions.filter(isWanted))
        await attempt(`${name}()`, functionAttempt(name, records[brand]))
    }
  }
  return cells
}

/** The cells as a table to read: a line for each thing that is tried, a column for each caller. */
export function renderMatrix(cells: readonly Cell[]): string {
  const columns = Object.keys(callers)
  const lines = ['own', 'foreign'].flatMap((brand) => {
    const of = cells.filter((cell) => cell.brand === brand)
    const whats = [...new Set(of.map(({ what }) => what))]
    return [
      row([`${brand} brand`, ...columns]),
      ...whats.map((what) =>
        row([
          what,
          ...columns.map((caller) => of.find((cell) => cell.what === what && cell.caller === caller)?.outcome ?? '?'),
        ]),
      ),
      '',
    ]
  })
  return lines.join('\n')
}

/** The cells that are not as the kept table has them; one that it does not know is among them. */
export function unexpectedCells(cells: readonly Cell[], table: string): Cell[] {
  const known = new Set<string>()
  for (const block of table.split('\n\n')) {
    const [heading = '', ...lines] = block.split('\n')
    for (const line of lines) {
      const [what, ...outcomes] = line.split(/ {2,}/)
      for (const [index, caller] of Object.keys(callers).entries())
        known.add([heading.split(' ')[0], what, caller, outcomes[index]].join('|'))
    }
  }
  return cells.filter(({ brand, what, caller, outcome }) => !known.has([brand, what, caller, outcome].join('|')))
}

function row([what = '', ...outcomes]: string[]): string {
  return [`${what.padEnd(28)}  `, ...outcomes.map((outcome) => `${outcome.padEnd(14)}  `)].join('').trimEnd()
}

async function outcomeOf(scene: Scene, person: Person, text: string, values: unknown[]): Promise<string> {
  const client = await scene.owner.connect()
  try {
    await client.query('begin')
    await scene.become(client, person)
    const { rowCount } = await client.query(text, values)
    return rowCount ? 'rows' : 'nothing'
  } catch (error) {
    const { code, message } = error as pg.DatabaseError
    if (code === '42501') return 'refused'
    return code === 'P0001' ? message : String(code)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

/** Fills a brand by the secret key, so that there is something to see even where a policy was taken away. */
async function fill(scene: Scene, person: 'ana' | 'eve'): Promise<Records> {
  const ask = scene.as('service')
  const brand = person === 'ana' ? scene.acme : scene.umbra
  const one = async (text: string, values: unknown[] = []) =>
    String((await ask<{ id: string }>(text, [brand, ...values])).rows[0]?.id)
  const stage = await one('select id from deal_stages where brand_id = $1 order by position limit 1')
  const emptyStage = await one(`insert into deal_stages (brand_id, name) values ($1, 'Later') returning id`)
  const company = await one(`insert into companies (brand_id, name) values ($1, 'Borealis') returning id`)
  const contact = await one(
    `insert into contacts (brand_id, email, company_id) values ($1, 'zoe@example.com', $2) returning id`,
    [company],
  )
  const deal = await one(
    `insert into deals (brand_id, name, stage_id, contact_id) values ($1, 'Migration', $2, $3) returning id`,
    [stage, contact],
  )
  const task = await one(`insert into tasks (brand_id, title, deal_id) values ($1, 'Call', $2) returning id`, [deal])
  const invitation = await one(
    `insert into invitations (brand_id, email, sent_at) values ($1, 'new@example.com', now() - interval '1 day') returning id`,
  )
  const gone = await one(`insert into tasks (brand_id, title) values ($1, 'Gone') returning id`)
  await ask('delete from tasks where brand_id = $1 and id = $2', [brand, gone])
  return {
    brand,
    other: person === 'ana' ? scene.ids.kim : scene.ids.lou,
    stage,
    emptyStage,
    company,
    contact,
    deal,
    task,
    invitation,
  }
}

function tableAttempt(table: string, command: (typeof commands)[number], records: Records, outsider: string): Attempt {
  const { brand } = records
  const target = targets(records)[table] ?? {
    where: 'brand_id = $1',
    values: [brand],
    set: 'brand_id = brand_id',
    insert: 'default values',
  }
  switch (command) {
    case 'select':
      return { text: `select * from public.${table} where ${target.where}`, values: target.values }
    case 'update':
      return { text: `update public.${table} set ${target.set} where ${target.where}`, values: target.values }
    case 'delete':
      return { text: `delete from public.${table} where ${target.where}`, values: target.values }
    case 'insert':
      return {
        text: `insert into public.${table} ${target.insert.replaceAll('$brand', `'${brand}'`).replaceAll('$outsider', `'${outsider}'`)}`,
        values: [],
      }
  }
}

interface Target {
  where: string
  values: unknown[]
  set: string
  insert: string
}

function targets({
  brand,
  other,
  stage,
  emptyStage,
  company,
  contact,
  deal,
  task,
  invitation,
}: Records): Record<string, Target> {
  const of = (id: string, set: string, insert: string): Target => ({
    where: 'brand_id = $1 and id = $2',
    values: [brand, id],
    set,
    insert,
  })
  return {
    brands: { where: 'id = $1', values: [brand], set: `name = 'Other'`, insert: `(name) values ('Third')` },
    memberships: {
      where: 'brand_id = $1 and user_id = $2',
      values: [brand, other],
      set: `role = 'admin'`,
      insert: `(brand_id, user_id, role) values ($brand, $outsider, 'member')`,
    },
    deal_stages: of(emptyStage, `name = 'Other'`, `(brand_id, name) values ($brand, 'Late')`),
    companies: of(company, `name = 'Other'`, `(brand_id, name) values ($brand, 'New')`),
    contacts: of(contact, `first_name = 'Other'`, `(brand_id, email) values ($brand, 'new@example.com')`),
    deals: of(deal, `name = 'Other'`, `(brand_id, name, stage_id) values ($brand, 'New', '${stage}')`),
    tasks: of(task, `title = 'Other'`, `(brand_id, title) values ($brand, 'New')`),
    invitations: of(invitation, `role = 'admin'`, `(brand_id, email) values ($brand, 'late@example.com')`),
    deal_stage_changes: {
      where: 'brand_id = $1',
      values: [brand],
      set: 'changed_at = now()',
      insert: `(brand_id, deal_id, to_stage_id) values ($brand, '${deal}', '${stage}')`,
    },
  }
}

function functionAttempt(name: string, { brand, other, stage, task, invitation }: Records): Attempt {
  const calls: Record<string, string> = {
    add_brand_member_by_email: `$1, 'gus@example.com', 'member'`,
    list_brand_members: '$1',
    invite_member: `$1, 'late@example.com'`,
    resend_invitation: `$1, '${invitation}'`,
    withdraw_invitation: `$1, '${invitation}'`,
    hand_over_brand: `$1, '${other}'`,
    require_second_factor: '$1, true',
    audit_log: '$1',
    upsert_contact: `$1, 'new@example.com', 'New', null, 'Newco'`,
    quick_create_deal: `$1, 'New Deal', '${stage}'`,
    record_deletion: `$1, 'tasks', '${task}'`,
    restore_records: `$1, 'tasks', array['${task}']::uuid[]`,
    pull: '$1',
    board: '$1',
    dashboard: '$1',
    search_contacts: `$1, 'zoe'`,
    search_companies: `$1, 'bor'`,
    search_deals: `$1, 'mig'`,
    import_contacts: `$1, gen_random_uuid(), '[{"row": 2, "email": "new@example.com"}]'`,
  }
  const personal = Object.hasOwn(PERSONAL, name) ? PERSONAL[name] : undefined
  if (personal !== undefined) return { text: `select public.${name}(${personal})`, values: [] }
  // One that is not in the list fails with "function does not exist", and so differs from the kept table.
  return { text: `select public.${name}(${calls[name] ?? '$1::uuid, null::point'})`, values: [brand] }
}
