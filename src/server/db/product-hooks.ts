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
