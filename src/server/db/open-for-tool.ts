import { statSync } from 'node:fs'
import { Client, type ClientConfig } from 'pg'
import type { Logger } from 'pino'
import { clusterDirectory, type EmbeddedPostgres, embeddedConnection, openEmbedded } from './embedded.ts'
import { isPostgresOf } from './process-identity.ts'
import { assertNoServer } from './directory-lock.ts'
import { externalConnection } from './external-database.ts'
import { readPidFile } from './postmaster.ts'

export interface ToolConfig {
  databaseUrl: string | undefined
  /** The data directory (absolute path). */
  dataDir: string
  log: Logger
}

/** The database that an operator's command uses, and the function that closes it. */
export interface ToolDatabase {
  connection: ClientConfig
  close(): Promise<void>
}

/**
 * Opens the database for a command (a backup, the commands of `npm run admin`): the external database (`DATABASE_URL`), or the embedded database of
 * `dataDir`. If no server runs on the embedded database, starts its PostgreSQL; `close` then stops it. Throws an error that says what to do if there
 * is no database in `dataDir`.
 */
export async function openForTool({ databaseUrl, dataDir, log }: ToolConfig): Promise<ToolDatabase> {
  if (databaseUrl !== undefined) return { connection: externalConnection(databaseUrl), close: async () => {} }
  const cluster = clusterDirectory(dataDir)
  if (!exists(cluster))
    throw new Error(`There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL as for the server.`)
  const pidFile = readPidFile(cluster)
  if (pidFile?.isReady && isPostgresOf(pidFile.pid, cluster)) {
    return { connection: embeddedConnection(pidFile.socketDirectory), close: async () => {} }
  }
  const embedded = await openEmbedded({ dataDir, log })
  return { connection: embedded.connection, close: () => embedded.close() }
}

/** Whether a path exists. Throws Node's error if this user may not enter its folder. */
function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

/**
 * Opens the database to restore into: the external database (`DATABASE_URL`), or the embedded database of `dataDir`. Drops the
 * embedded database and creates it again. If it contains accounts, throws an error instead, and drops nothing. `restore` checks
 * later whether the external database is empty. Throws an error that says what to do if a server of the embedded database runs
 * on `dataDir`, because a restore replaces its keys.
 */
export async function openForRestore({ databaseUrl, dataDir, log }: ToolConfig): Promise<ToolDatabase> {
  if (databaseUrl !== undefined) {
    await assertNoServer(dataDir)
    return { connection: externalConnection(databaseUrl), close: async () => {} }
  }
  const embedded = await openEmbedded({ dataDir, log })
  try {
    await recreateDatabase(embedded, dataDir)
  } catch (error) {
    await embedded.close()
    throw error
  }
  return { connection: embedded.connection, close: () => embedded.close() }
}

/**
 * Drops the embedded database and creates it again. It may have tables, from an earlier start of the server. Throws if it has
 * accounts.
 */
async function recreateDatabase({ connection }: EmbeddedPostgres, dataDir: string): Promise<void> {
  if (await hasAccounts(connection)) {
    throw new Error(
      `The database in ${dataDir} contains data already. Restore into another DATA_DIR, or move this one away.`,
    )
  }
  const client = new Client({ ...connection, database: 'postgres' })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(`drop database ${connection.database}`)
    await client.query(`create database ${connection.database} template template0`)
  } finally {
    await client.end()
  }
}

async function hasAccounts(connection: ClientConfig): Promise<boolean> {
  const client = new Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ users: string | null }>(`select to_regclass('auth.users') as users`)
    if (!rows[0]?.users) return false
    return Boolean((await client.query('select from auth.users limit 1')).rowCount)
  } finally {
    await client.end()
  }
}
