import type { ClientBase, Pool } from 'pg'

/**
 * Calls a hook of the product's SQL, if schema `private` has a function of that name without parameters: after the
 * server's start, or after a restore (clients may have seen later rows).
 */
export async function callHook(owner: Pool | ClientBase, name: 'on_server_start' | 'on_restore'): Promise<void> {
  const signature = `private.${name}()`
  const { rows } = await owner.query<{ found: string | null }>('select to_regprocedure($1) as found', [signature])
  if (rows[0]?.found) await owner.query(`select ${signature}`)
}

/**
 * Reports to the product's SQL that a request of this user was refused with this message. A transaction of its own,
 * because counts of the refused transaction are rolled back. Returns true if the user has sent too many.
 */
export async function reportRefusal(owner: Pool, user: string, message: string): Promise<boolean> {
  const { rows: found } = await owner.query<{ found: string | null }>(
    `select to_regprocedure('private.on_refusal(uuid, text)') as found`,
  )
  if (!found[0]?.found) return false
  const { rows } = await owner.query<{ many: boolean }>('select private.on_refusal($1, $2) as many', [user, message])
  return rows[0]?.many === true
}

/** The teams of these users, who share their turns for a connection. A user without one is missing, all are without the hook. */
export async function teamsOf(owner: Pool, users: readonly string[]): Promise<Map<string, string>> {
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
