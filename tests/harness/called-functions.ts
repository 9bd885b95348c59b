import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { ownerPool } from './test-cluster.ts'

/** For `npm run mutants`: the file to which the names of called SQL functions are written. Undefined in other runs. */
const outputFile = process.env.BANYAN_CALLED_FUNCTIONS

/**
 * Records the functions that ran in this database. Call it after all other sessions have ended, because PostgreSQL counts the
 * calls of a session at its end. Needs `track_functions = 'all'`. Does nothing in a normal run.
 */
export async function recordCalledFunctions(socket: string, database: string): Promise<void> {
  if (!outputFile) return
  await sleep(200)
  const pool = ownerPool(socket, database, 1)
  const { rows } = await pool.query<{ name: string }>(
    `select schemaname || '.' || funcname as name from pg_stat_user_functions where calls > 0`,
  )
  await pool.end()
  appendFileSync(outputFile, rows.map(({ name }) => `${name}\n`).join(''))
}
