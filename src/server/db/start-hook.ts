import type { ClientBase, Pool } from 'pg'

/**
 * Tells the product's SQL that a server starts, where it has a function `private.on_server_start()`: a restored or
 * upgraded cluster counts its transactions anew, and what was derived from them must be raised.
 */
export async function callStartHook(owner: Pool | ClientBase): Promise<void> {
  const { rows } = await owner.query<{ found: string | null }>(
    "select to_regprocedure('private.on_server_start()') as found",
  )
  if (rows[0]?.found) await owner.query('select private.on_server_start()')
}
