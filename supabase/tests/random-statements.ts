import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Scene } from './people.ts'

export interface Statement {
  text: string
  values: unknown[]
}

/** Returns a function that returns random numbers from 0 to 1 (exclusive). The seed determines them, so that a failure can be repeated. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns an id that is the same in every run: `uuid('umbra deal', 3)`. */
export function uuid(kind: string, n: number): string {
  const hash = createHash('md5').update(`${kind} ${n}`).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20)}`
}

const columns: Record<string, string[]> = {
  brands: ['id', 'name', 'slug', 'version', 'created_by'],
  memberships: ['user_id', 'brand_id', 'role', 'display_name', 'version'],
  deal_stages: ['id', 'brand_id', 'name', 'position', 'kind', 'rev'],
  companies: ['id', 'brand_id', 'name', 'domain', 'notes', 'owner_id', 'rev'],
  contacts: ['id', 'brand_id', 'email', 'email_norm', 'first_name', 'last_name', 'company_id', 'tag_ids', 'created_at'],
  deals: ['id', 'brand_id', 'name', 'amount', 'stage_id', 'contact_id', 'company_id', 'closed_at'],
  tags: ['id', 'brand_id', 'name', 'color', 'rev'],
  tasks: ['id', 'brand_id', 'title', 'status', 'due_at', 'contact_id', 'deal_id'],
  notes: ['id', 'brand_id', 'kind', 'body', 'occurred_at', 'contact_id', 'deal_id'],
  deal_stage_changes: ['brand_id', 'deal_id', 'to_stage_id', 'changed_by'],
  field_changes: ['brand_id', 'record_id', 'column_name', 'to_value', 'changed_by'],
  amount_changes: ['brand_id', 'deal_id', 'to_amount', 'changed_by'],
}
const joins = [
  'deals a join contacts b on b.id = a.contact_id',
  'deals a left join deal_stages b on b.id = a.stage_id',
  'contacts a left join companies b on b.id = a.company_id',
  'tasks a left join deals b on b.id = a.deal_id',
  'deals a full join contacts b on a.name < b.email',
  'memberships a join brands b on true',
]

/** Returns a random read, write or call by a member of Acme who knows all ids and texts of Umbra. */
export function randomStatement(random: () => number, { acme, umbra, ids }: Scene): Statement {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const brand = () => pick([acme, acme, umbra])
  const brandName = () => pick(['acme', 'umbra'])
  const record = () =>
    uuid(`${brandName()} ${pick(['company', 'contact', 'deal', 'task', 'note', 'tag'])}`, Math.floor(random() * 12))
  const word = () =>
    pick(['zoe', 'Umbra', '%', 'a', 'secret 3', 'person1@umbra.com', 'person2@acme.com', "o'neil", '', 'Deal'])
  const value = () =>
    pick([record, record, word, brand, () => pick(Object.values(ids)), () => Math.floor(random() * 50), () => null])()

  const table = pick(Object.keys(columns))
  const tableColumns = columns[table] ?? []
  const values: unknown[] = []
  const param = (given: unknown) => `$${values.push(given)}`
  const condition = () => {
    const column = pick(tableColumns)
    const operator = pick(['=', '<>', '<', '>=', 'like', 'ilike', 'is not distinct from'])
    return `${column}::text ${operator} ${param(String(value() ?? ''))}`
  }
  const where = Array.from({ length: Math.floor(random() * 3) }, condition).join(pick([' and ', ' or ']))
  const filtered = where ? ` where ${where}` : ''

  switch (
    pick(['select', 'select', 'count', 'group', 'join', 'subquery', 'insert', 'update', 'delete', 'call', 'call'])
  ) {
    case 'select': {
      const selectList = pick([tableColumns.join(', '), pick(tableColumns), '*'])
      const order = tableColumns.map((column) => `${column}${pick(['', ' desc'])}`).join(', ')
      return {
        text: `select ${selectList} from ${table}${filtered} order by ${order} limit ${pick([1, 3, 100])} offset ${pick([0, 0, 2])}`,
        values,
      }
    }
    case 'count':
      return { text: `select count(*), max(${pick(tableColumns)}::text) from ${table}${filtered}`, values }
    case 'group':
      return { text: `select ${tableColumns[1]}, count(*) from ${table}${filtered} group by 1 order by 1, 2`, values }
    case 'join':
      return {
        text: `select count(*), min(a::text), max(b::text) from ${pick(joins)} where a::text ilike ${param(`%${word()}%`)}`,
        values,
      }
    case 'subquery':
      return {
        text: `select exists (select from ${table}${filtered}), (select count(*) from brands where id = ${param(brand())})`,
        values,
      }
    case 'insert': {
      const rows: Record<string, string> = {
        companies: `(brand_id, id, name) values (${param(brand())}, ${param(record())}, 'New')`,
        contacts: `(brand_id, id, email, company_id) values (${param(brand())}, ${param(record())}, ${param(word())}, ${param(record())})`,
      }
      const into = pick(Object.keys(rows))
      return writeOf(rows[into] as string, into, values)
    }
    case 'update': {
      const change = pick([
        `deals set contact_id = ${param(record())}`,
        `deals set stage_id = ${param(record())}`,
        `tasks set deal_id = ${param(record())}`,
        `contacts set email = ${param(word())}`,
        `memberships set role = ${param(pick(['member', 'owner']))}`,
      ])
      return writeOf(`${change} where brand_id = ${param(brand())}`, 'update', values)
    }
    case 'delete':
      return {
        text: `delete from ${table} where brand_id = ${param(brand())}`.replace(
          'brands where brand_id',
          'brands where id',
        ),
        values,
      }
    default: {
      const calls = [
        () => `pull(${param(brand())}, null, array['tasks', 'deals', 'contacts'])::jsonb - 'cursor'`,
        () => `board(${param(brand())}, 3)`,
        () => `dashboard(${param(brand())}, 'UTC')`,
        () => `search_contacts(${param(brand())}, ${param(word())})`,
        () => `search_deals(${param(brand())}, ${param(word())})`,
        () => `search_companies(${param(brand())}, ${param(word())})`,
        () =>
          `read_queries(${param(brand())}, jsonb_build_array(jsonb_build_object('table', 'deals', 'search', ${param(word())}::text, 'sums', true)))`,
        () =>
          `read_queries(${param(brand())}, jsonb_build_array(jsonb_build_object('table', 'contacts', 'where', jsonb_build_object('id', ${param(record())}::text))))`,
        () =>
          `read_queries(${param(brand())}, jsonb_build_array(jsonb_build_object('table', 'contacts', 'order', 'custom.' || ${param(record())}::text)))`,
        () => `upsert_contact(${param(brand())}, ${param(word())}, 'A', 'B', ${param(word())}, ${param(record())})`,
        () => `add_company(${param(brand())}, ${param(word())}, null, null, null, null, null, ${param(record())})`,
        () =>
          `add_contact_by_phone(${param(brand())}, ${param(word())}, 'A', null, null, ${param(word())}, ${param(record())})`,
        () =>
          `import_contacts(${param(brand())}, ${param(record())}, jsonb_build_array(jsonb_build_object('row', 2, 'phone', ${param(word())}::text)))`,
        () => `undo_import(${param(brand())}, ${param(record())})::jsonb`,
        () =>
          `change_matching(${param(brand())}, jsonb_build_object('table', 'contacts', 'search', ${param(word())}::text), '{"owner_id": null}')::jsonb - 'until'`,
        () =>
          `change_matching(${param(brand())}, '{"table": "contacts"}', jsonb_build_object('add_tags', array[${param(record())}::text]))::jsonb - 'until'`,
        () =>
          `change_matching(${param(brand())}, '{"table": "contacts"}', jsonb_build_object('custom', jsonb_build_object(${param(record())}::text, null)))::jsonb - 'until'`,
        () => `tag_counts(${param(brand())})::jsonb`,
        () => `upsert_tag(${param(brand())}, ${param(word())}, null, ${param(record())})`,
        () => `merge_tags(${param(brand())}, ${param(record())}, ${param(record())})::jsonb`,
        () =>
          `timeline(${param(brand())}, ${param(pick(['contacts', 'companies', 'deals']))}, ${param(record())})::jsonb`,
        () => `former_members(${param(brand())}, array[${param(record())}]::uuid[])::jsonb`,
        () => `read_imports(${param(brand())}, ${param(record())})::jsonb`,
        () => `quick_create_deal(${param(brand())}, ${param(word())}, ${param(record())}, ${param(record())})`,
        () => `record_deletion(${param(brand())}, 'tasks', ${param(record())})`,
        () =>
          `restore_records(${param(brand())}, ${param(pick(['tasks', 'deals', 'brands']))}, array[${param(record())}]::uuid[])`,
        () =>
          `add_brand_member_by_email(${param(brand())}, ${param(pick(['eve@example.com', 'who@example.com']))}, 'member')`,
        () => `array(select m.email from list_brand_members(${param(brand())}) m)`,
      ]
      return { text: `select ${pick(calls)()}`, values }
    }
  }
}

/**
 * Returns a write. Removes parameters that its text does not use, and renumbers the others, because PostgreSQL refuses a parameter without a
 * type. `kind`: 'update', or the table of an insert. `clauses`: the statement without its first words.
 */
function writeOf(clauses: string, kind: string, allValues: unknown[]): Statement {
  const values: unknown[] = []
  const text = clauses.replaceAll(
    /\$(\d+)/g,
    (_match, number: string) => `$${values.push(allValues[Number(number) - 1])}`,
  )
  return { text: kind === 'update' ? `update ${text}` : `insert into ${kind} ${text}`, values }
}

/** Runs a statement as bo of Acme, and rolls it back. Returns the exact rows or error as text, and the time of the statement alone. */
export async function answerOf(
  scene: Scene,
  client: pg.ClientBase,
  { text, values }: Statement,
): Promise<{ answer: string; milliseconds: number }> {
  await client.query('begin')
  await scene.become(client, 'bo')
  const start = performance.now()
  try {
    const { rows, rowCount } = await client.query({ text, values, rowMode: 'array' })
    return { answer: JSON.stringify([rowCount, rows]), milliseconds: performance.now() - start }
  } catch (error) {
    const { code, message, detail, hint, where } = error as pg.DatabaseError
    return { answer: JSON.stringify([code, message, detail, hint, where]), milliseconds: performance.now() - start }
  } finally {
    await client.query('rollback')
  }
}

/** Fills a brand with 12 × `factor` records of each kind, but at most 200 tags. Their ids and texts are the same in every run. */
export async function fillBrandRows(scene: Scene, name: 'acme' | 'umbra', factor = 1): Promise<void> {
  const brand = scene[name]
  const query = scene.as('service')
  const idsOf = (kind: string) => Array.from({ length: 12 * factor }, (_, n) => uuid(`${name} ${kind}`, n))
  await query(
    `insert into companies (brand_id, id, name, domain, notes) select $1, id, $3 || ' Co ' || n, $3 || n || '.com', 'secret ' || n from unnest($2::uuid[]) with ordinality u (id, n)`,
    [brand, idsOf('company'), name],
  )
  await query(
    `insert into contacts (brand_id, id, email, first_name, last_name, company_id)
     select $1, id, 'person' || n || '@' || $3 || '.com', 'Zoe', $3 || ' ' || n, ($4::uuid[])[n] from unnest($2::uuid[]) with ordinality u (id, n)`,
    [brand, idsOf('contact'), name, idsOf('company')],
  )
  await query(
    `insert into tags (brand_id, id, name) select $1, id, $3 || ' secret ' || n from unnest($2::uuid[]) with ordinality u (id, n)`,
    // A brand has at most 200 tags.
    [brand, idsOf('tag').slice(0, 200), name],
  )
  await query('update contacts set tag_ids = $2 where brand_id = $1', [brand, idsOf('tag').slice(0, 3)])
  await query(
    `insert into deals (brand_id, id, name, amount, stage_id, contact_id)
     select $1, id, $3 || ' Deal ' || n, n, (select s.id from deal_stages s where s.brand_id = $1 and s.position = 1 + n % 6), ($4::uuid[])[n]
     from unnest($2::uuid[]) with ordinality u (id, n)`,
    [brand, idsOf('deal'), name, idsOf('contact')],
  )
  await query(
    `insert into tasks (brand_id, id, title, deal_id) select $1, id, $3 || ' secret ' || n, ($4::uuid[])[n] from unnest($2::uuid[]) with ordinality u (id, n)`,
    [brand, idsOf('task'), name, idsOf('deal')],
  )
  await query(
    `insert into notes (brand_id, id, body, contact_id, deal_id)
     select $1, id, $3 || ' secret ' || n, ($4::uuid[])[n], ($5::uuid[])[n] from unnest($2::uuid[]) with ordinality u (id, n)`,
    [brand, idsOf('note'), name, idsOf('contact'), idsOf('deal')],
  )
}

/** Deletes the records of a brand, their history and their tombstones. */
export async function emptyBrandRows(scene: Scene, name: 'acme' | 'umbra'): Promise<void> {
  for (const table of [
    'tags',
    'notes',
    'tasks',
    'deals',
    'contacts',
    'companies',
    'deal_stage_changes',
    'amount_changes',
    'field_changes',
  ])
    await scene.owner.query(`delete from ${table} where brand_id = $1`, [scene[name]])
  await scene.owner.query('delete from private.tombstones where brand_id = $1', [scene[name]])
}
