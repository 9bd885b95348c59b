import type { ClientBase, Pool } from 'pg'

/**
 * Calls a hook of the product's SQL: a function without parameters in schema `private`. Does nothing if the function does
 * not exist. `on_restore` exists because devices may have newer rows than a restored database.
 */
export async function callProductHook(owner: Pool | ClientBase, name: 'on_server_start' | 'on_restore'): Promise<void> {
  const signature = `private.${name}()`
  const { rows } = await owner.query<{ found: string | null }>('select to_regprocedure($1) as found', [signature])
  if (rows[0]?.found) await owner.query(`select ${signature}`)
}

/**
 * Reports to the product's SQL that a request of this user was refused with this message. The report needs a separate
 * transaction, because the transaction of the request is rolled back. Returns true if the user has sent too many such requests.
 */
export async function reportRefusal(owner: Pool, user: string, message: string): Promise<boolean> {
  const { rows: found } = await owner.query<{ found: string | null }>(
    `select to_regprocedure('private.on_refusal(uuid, text)') as found`,
  )
  if (!found[0]?.found) return false
  const { rows } = await owner.query<{ many: boolean }>('select private.on_refusal($1, $2) as many', [user, message])
  return rows[0]?.many === true
}

/**
 * Returns the team of each of these users, by user (see fair-queue.ts). Users without a team are not in the map. If the
 * product's SQL has no function `private.teams_of`, the map is empty.
 */
export async function readTeams(owner: Pool, users: readonly string[]): Promise<Map<string, string>> {
  const { rows: found } = await owner.query<{ found: string | null }>(
    `select to_regprocedure('private.teams_of(uuid[])') as found`,
  )
  if (!found[0]?.found) return new Map()
  const { rows } = await owner.query<{ user_id: string; team: string }>(
    'select user_id, team from private.teams_of($1)',
    [users],
  )
  return new Map(rows.map(({ user_id, team }) => [user_id, team]))
}
