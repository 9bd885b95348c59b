import { Pool } from 'pg'
import { pino } from 'pino'
import type { Operator } from '#server/auth/admin/operator.ts'
import { readRefreshSecret } from '#server/auth/keys.ts'
import type { Config } from '#server/config.ts'
import { openForTool } from '#server/db/open-for-tool.ts'
import { reachableHost } from '#server/http/reachable-host.ts'

/**
 * Opens the external or embedded database, and runs an operator's command with it. If no server runs on the embedded database, starts its PostgreSQL, and stops it after the
 * command. Throws an error that says what to do if `DATA_DIR` has no keys, because links would be made with another secret than the server's.
 */
export async function withOperator(
  { databaseUrl, dataDir, siteUrl, host, port }: Config,
  runCommand: (operator: Operator) => Promise<string>,
): Promise<string> {
  const database = await openForTool({ databaseUrl, dataDir, log: pino({ level: 'silent' }) })
  const db = new Pool({ ...database.connection, max: 2 })
  // `db.end()` may resolve before the last connection is closed. That connection reports an error when the database stops.
  db.on('error', () => {})
  try {
    const secret = await readRefreshSecret(dataDir)
    // The same default as the server's, so that links lead to the server.
    return await runCommand({ db, secret, siteUrl: siteUrl ?? `http://${reachableHost(host)}:${port}` })
  } finally {
    await db.end()
    await database.close()
  }
}
