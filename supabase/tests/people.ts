import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { testDatabase } from '#tests/harness/database.ts'

/**
 * ana owns Acme, bo and kim are members, cy is admin, dee was removed; eve owns Umbra, lou is its member; gus belongs
 * nowhere. nobody is a caller who has not signed in; service is a caller with the secret key.
 */
export type Person = 'ana' | 'bo' | 'kim' | 'cy' | 'dee' | 'eve' | 'lou' | 'gus' | 'nobody' | 'service'

const signedInPeople = ['ana', 'bo', 'kim', 'cy', 'dee', 'eve', 'lou', 'gus'] as const

export interface StatementOptions {
  /** The header `Idempotency-Key` of the request. */
  key?: string
}

/** Runs one statement as a person, in its own transaction. */
export type RunStatement = <Row extends pg.QueryResultRow = Record<string, unknown>>(
  text: string,
  values?: readonly unknown[],
  options?: StatementOptions,
) => Promise<pg.QueryResult<Row>>

export interface Scene {
  /** The ids of the two brands. */
  acme: string
  umbra: string
  /** The user ids of the people with an account. */
  ids: Record<Exclude<Person, 'nobody' | 'service'>, string>
  /** Returns a function that runs statements as this person. */
  as(person: Person): RunStatement
  /** Assumes the person's rights inside an open transaction. */
  become(client: pg.ClientBase, person: Person, options?: StatementOptions): Promise<void>
  /** Connections of the owner role. */
  owner: pg.Pool
  drop(): Promise<void>
}

/** Creates a database with two brands and their people. */
export async function openScene(): Promise<Scene> {
  const database = await testDatabase()
  const { owner } = database
  // The server calls this function at its start, too. The function makes a new database id for this copy of the template.
  await owner.query('select private.on_server_start()')
  await owner.query(`select private.on_server_settings('{"mail": true, "sign_up": "open", "proves_addresses": true}')`)
  const ids = Object.fromEntries(signedInPeople.map((person) => [person, randomUUID()])) as Scene['ids']
  for (const person of signedInPeople) {
    await owner.query(
      `insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data) values ($1, $2, now(), '{}')`,
      [ids[person], `${person}@example.com`],
    )
    // The session's id is the user's id: each person needs one session only.
    await owner.query('insert into auth.sessions (id, user_id) values ($1, $1)', [ids[person]])
  }

  const become: Scene['become'] = async (client, person, { key } = {}) => {
    const role = person === 'nobody' ? 'anon' : person === 'service' ? 'service_role' : 'authenticated'
    const claims = { role, ...(person in ids ? { sub: ids[person as 'ana'], session_id: ids[person as 'ana'] } : {}) }
    await client.query(
      `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true), set_config('request.headers', $3, true)`,
      [role, JSON.stringify(claims), JSON.stringify(key === undefined ? {} : { 'idempotency-key': key })],
    )
  }
  const as =
    (person: Person): RunStatement =>
    async (text, values, options) => {
      const client = await owner.connect()
      try {
        await client.query('begin')
        await become(client, person, options)
        const result = await client.query(text, values as unknown[])
        await client.query('commit')
        return result as never
      } catch (error) {
        await client.query('rollback')
        throw error
      } finally {
        client.release()
      }
    }

  const [acme, umbra] = [randomUUID(), randomUUID()]
  await as('ana')('insert into brands (id, name) values ($1, $2)', [acme, 'Acme'])
  await as('eve')('insert into brands (id, name) values ($1, $2)', [umbra, 'Umbra'])
  const addMember = (by: Person, brand: string, person: Person, role: string) =>
    as(by)('select add_brand_member_by_email($1, $2, $3)', [brand, `${person}@example.com`, role])
  await addMember('ana', acme, 'bo', 'member')
  await addMember('ana', acme, 'kim', 'member')
  await addMember('ana', acme, 'cy', 'admin')
  await addMember('ana', acme, 'dee', 'admin')
  await as('ana')('delete from memberships where brand_id = $1 and user_id = $2', [acme, ids.dee])
  await addMember('eve', umbra, 'lou', 'member')
  return { acme, umbra, ids, as, become, owner, drop: () => database.drop() }
}

/** Returns the code and the message of the refusal. Throws if the statement was allowed. */
export async function refusalOf(result: Promise<unknown>): Promise<string> {
  try {
    await result
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    return `${code} ${message}`
  }
  throw new Error('It was allowed.')
}
