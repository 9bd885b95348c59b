import type { Pool } from 'pg'
import type { Logger } from 'pino'

/**
 * Logs a warning if the database has accounts. Call it after new keys were generated: an installation with accounts had keys
 * before, so its key file was lost, or DATA_DIR names another directory than before. `owner`: the pool of the owner role.
 */
export async function warnIfKeysAreMissing(owner: Pool, dataDir: string, log: Logger): Promise<void> {
  const { rowCount } = await owner.query('select from auth.users limit 1')
  if (!rowCount) return
  log.warn(
    { dataDir },
    'DATA_DIR had no keys.json, although the database has accounts: new keys were made, so everybody is signed out, and authenticator apps and mailed links are not valid. Stop the server and put the old file back, from a backup if necessary',
  )
}
