import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { ownerPool } from './test-cluster.ts'

/** For `npm run mutants`: the file for the names of the SQL functions that tests called, if requested. */
const file = process.env.BANYAN_CALLED_FUNCTIONS

/**
 * Records which functions this database ran, after all other sessions have ended: PostgreSQL counts a session's calls
 * at its end. Needs `track_functions = 'all'`; does nothing in a normal run.
 */
export async function noteCalledFunctions(socket: string, database: string): Promise<void> {
  if (!file) return
  await sleep(200)
  const pool = ownerPool(socket, database, 1)
  const { rows } = await pool.query<{ name: string }>(
    `select schemaname || '.' || funcname as name from pg_stat_user_functions where calls > 0`,
  )
  await pool.end()
  appendFileSync(file, rows.map(({ name }) => `${name}\n`).join(''))
}
