import type { Person, Scene } from './people.ts'

/** The people with an account. */
export type Named = Exclude<Person, 'nobody' | 'service'>

/** The authentication levels of a session. A missing level is 'aal1'. */
export interface Level {
  /** The level in the token. */
  token?: string
  /** The level in the session's row. */
  session?: string
  /** Claims that are added to the token, or replace its claims of the same name. */
  claims?: Record<string, unknown>
}

/** Runs a statement as a person at a level, and rolls it back. Returns its rows. */
export async function atLevel<Row extends Record<string, unknown>>(
  scene: Scene,
  person: Named,
  level: Level,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = await scene.owner.connect()
  const id = scene.ids[person]
  try {
    await client.query('begin')
    await client.query('update auth.sessions set aal = $2::auth.aal_level where id = $1', [id, level.session ?? 'aal1'])
    const claims = { role: 'authenticated', sub: id, session_id: id, aal: level.token ?? 'aal1', ...level.claims }
    await client.query(`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`, [
      JSON.stringify(claims),
    ])
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.query('rollback')
    client.release()
  }
}
