import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { CallerContext, Statement } from '#server/db/as-caller.ts'
import { recordsSql } from './bench-data.ts'
import { compileForBench } from './statement-of.ts'

interface Request {
  context: CallerContext
  statement: Statement
}

/** A person with a brand of 1,000 contacts and 1,000 deals, and the requests that this person sends. */
export interface WriteScene {
  owner: pg.Pool
  /** The names of the measured operations. */
  operations: string[]
  /** Returns the person's context. `headers`: the request's headers, as PostgreSQL receives them. */
  context(headers: Record<string, string>): CallerContext
  /** Returns the next request of an operation, on the product's tables or on the plain ones. */
  request(operation: string, kind: 'ours' | 'plain'): Request
}

/** Creates the person and the brand by SQL, in a database with all migrations. */
export async function openWriteScene(owner: pg.Pool): Promise<WriteScene> {
  const userId = randomUUID()
  const brandId = randomUUID()
  const claims = JSON.stringify({
    sub: userId,
    session_id: userId,
    role: 'authenticated',
    aal: 'aal1',
    aud: 'authenticated',
    email: `${userId}@example.org`,
  })
  await owner.query(
    "insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data) values ($1, $2, now(), '{}')",
    [userId, `${userId}@example.org`],
  )
  await owner.query('insert into auth.sessions (id, user_id) values ($1, $1)', [userId])
  await owner.query('select private.on_server_start()')
  await owner.query('select realtime.attach()')
  const client = await owner.connect()
  await client.query("select set_config('request.jwt.claims', $1, false)", [claims])
  await client.query('insert into public.brands (id, name) values ($1, $2)', [brandId, `Bench ${brandId}`])
  await client.query("select set_config('request.jwt.claims', '', false)")
  await client.query(recordsSql(brandId, 1000))
  client.release()
  const readIds = async (table: string, order: string) =>
    (
      await owner.query<{ id: string }>(
        `select id from public.${table} where brand_id = $1 order by ${order} limit 16`,
        [brandId],
      )
    ).rows.map(({ id }) => id)
  const [stages, deals, contacts] = [
    await readIds('deal_stages', 'position'),
    await readIds('deals', 'id'),
    await readIds('contacts', 'id'),
  ]

  const context = (headers: Record<string, string>): CallerContext => ({
    role: 'authenticated',
    claims,
    headers: JSON.stringify(headers),
    method: 'POST',
    path: '/rest/v1/',
    timeoutMs: 8000,
  })
  const token = `e30.${Buffer.from(claims).toString('base64url')}.`
  const json = { 'content-type': 'application/json' }
  const compileStatement = async (method: string, target: string, body: unknown, headers = {}) =>
    (
      await compileForBench(
        owner,
        { method, target, headers: { ...json, ...headers }, body: body === undefined ? '' : JSON.stringify(body) },
        token,
      )
    ).statement
  const returnRowsHeader = { prefer: 'return=representation' }
  const task = {
    brand_id: brandId,
    title: 'Call back',
    due_at: '2026-12-01T09:00:00Z',
    priority: 'normal',
    status: 'open',
    contact_id: contacts[0],
    deal_id: null,
  }
  const contact = { brand_id: brandId, first_name: 'Uta', last_name: 'Hof', email: 'MAIL', phone: '+49 30 5557 8812' }
  const deal = { brand_id: brandId, name: 'Renewal', amount: 100, stage_id: stages[0], contact_id: contacts[0] }
  const importRows = Array.from({ length: 200 }, (_, i) => ({
    row: i + 1,
    email: `MAIL-${i}`,
    first_name: `First ${i}`,
    last_name: 'Imported',
    phone: `+49 30 ${i}`,
    company: `Company ${1 + (i % 50)}`,
  }))
  let counter = 0
  const moves = await Promise.all(
    deals.flatMap((id) =>
      stages
        .slice(0, 2)
        .map((stage) =>
          compileStatement(
            'PATCH',
            `deals?id=eq.${id}&brand_id=eq.${brandId}&version=gte.0&select=*`,
            { stage_id: stage },
            returnRowsHeader,
          ),
        ),
    ),
  )
  const renames = await Promise.all(
    deals.map((id) =>
      compileStatement(
        'PATCH',
        `deals?id=eq.${id}&brand_id=eq.${brandId}&version=gte.0&select=*`,
        { name: 'NAME' },
        returnRowsHeader,
      ),
    ),
  )
  const statements: Record<string, Statement[]> = {
    'list of 50': [
      await compileStatement(
        'GET',
        `contacts?select=*%2Ccompanies%28name%29&brand_id=eq.${brandId}&order=created_at.desc&limit=50`,
        undefined,
      ),
    ],
    move: moves,
    'move, with a key': moves,
    'rename a deal': renames,
    'insert a task': [await compileStatement('POST', 'tasks', task)],
    'insert a task, with a key': [await compileStatement('POST', 'tasks', task)],
    'insert a deal': [await compileStatement('POST', 'deals?select=*', deal, returnRowsHeader)],
    'insert a contact': [await compileStatement('POST', 'contacts?select=*', contact, returnRowsHeader)],
    'import of 200': [
      await compileStatement('POST', 'rpc/import_contacts', {
        p_brand_id: brandId,
        p_import_id: randomUUID(),
        p_rows: importRows,
      }),
    ],
  }
  const plainImport = {
    text: `insert into plain.contacts (brand_id, email, email_norm, first_name, last_name, phone, company_id)
      select $1::uuid, r.email, lower(r.email), r.first_name, r.last_name, r.phone, (select c.id from plain.companies c where c.brand_id = $1::uuid and c.name = r.company limit 1)
      from json_to_recordset($2::json) r (email text, first_name text, last_name text, phone text, company text) on conflict do nothing returning id`,
    values: [brandId, JSON.stringify(importRows)],
  }
  const request: WriteScene['request'] = (operation, kind) => {
    counter++
    const templates = statements[operation] ?? []
    const template =
      kind === 'plain' && operation.startsWith('import') ? plainImport : templates[counter % templates.length]
    const values = (template?.values ?? []).map((value) =>
      typeof value === 'string'
        ? value
            .replaceAll('MAIL', `p${brandId.slice(0, 4)}${counter}@example.org`)
            .replaceAll('NAME', `Renewal ${counter}`)
        : value,
    )
    const text = template?.text ?? ''
    const headers: Record<string, string> =
      operation.includes('key') && kind === 'ours' ? { 'idempotency-key': randomUUID() } : {}
    return {
      context: context(headers),
      statement: {
        text: kind === 'plain' ? text.replaceAll('"public".', 'plain.').replaceAll('public.', 'plain.') : text,
        values,
      },
    }
  }
  return { owner, operations: Object.keys(statements), context, request }
}
