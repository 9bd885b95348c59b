import type { ClientBase, Pool } from 'pg'

/**
 * Calls what the product's SQL wants to be told, where it has a function of that name without parameters in schema
 * `private`: that a server starts, that the rows were restored from a backup (clients may have seen later ones).
 */
export async function callHook(owner: Pool | ClientBase, name: 'on_server_start' | 'on_restore'): Promise<void> {
  const signature = `private.${name}()`
  const { rows } = await owner.query<{ found: string | null }>('select to_regprocedure($1) as found', [signature])
  if (rows[0]?.found) await owner.query(`select ${signature}`)
}

/**
 * Tells the product's SQL, in a transaction of its own, that a request of this user was refused with this message: what a
 * refused transaction counts is gone with it. True: the user has asked too often.
 */
export async function tellRefusal(owner: Pool, user: string, message: string): Promise<boolean> {
  const { rows: found } = await owner.query<{ found: string | null }>(
    `select to_regprocedure('private.on_refusal(uuid, text)') as found`,
  )
  if (!found[0]?.found) return false
  const { rows } = await owner.query<{ many: boolean }>('select private.on_refusal($1, $2) as many', [user, message])
  return rows[0]?.many === true
}
