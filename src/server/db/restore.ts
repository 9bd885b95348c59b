import { pipeline } from 'node:stream/promises'
import { Client, type ClientConfig } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { keyFiles, quoteIdentifier, storedTables, quotedTableName } from './backup.ts'
import {
  type BackupEntry,
  type BackupHeader,
  type BackupTable,
  readBackup,
  UnusableBackupError,
  verifyBackup,
} from './backup-format.ts'
import { assertEmpty } from './empty-database.ts'
import { lockMigrations, migrateInTransaction } from './migrate.ts'
import { type MigrationSource, readMigrations } from './migration-files.ts'
import { callProductHook } from './product-hooks.ts'
import { assertKeysCanBeStored, commitWithKeys } from './restored-keys.ts'
import { type AppliedMigration, withReplacements } from './squashed-migrations.ts'

export interface RestoreOptions {
  /** Returns the settings with which the owner role connects to the database to fill. Called after the file and the keys of `dataDir` are checked. */
  connect: () => Promise<ClientConfig>
  /** The data directory (absolute path). */
  dataDir: string
  /** The backup file (absolute path). */
  file: string
  sources: readonly MigrationSource[]
  /**
   * Whether the restore may replace other keys in `dataDir`, of which it then keeps a copy. False (default) for an external database, because
   * a server of another database may use these keys.
   */
  mayReplaceKeys?: boolean
}

/**
 * Fills an empty database from a backup in one transaction: applies the backup's migrations, inserts its rows exactly as they
 * were (triggers are off), applies the migrations that this release has in addition, and calls the hook `on_restore`. After
 * that, devices fetch all rows again. `hasKeys`: whether the file contains the keys of the installation. `copiesOfKeys`: paths of
 * the copies of replaced keys. Throws an error that says what to do, and changes nothing, if the file is damaged or comes from a
 * newer release, if the database is not empty, or if `dataDir` has keys that may not be replaced.
 */
export async function restore({
  connect,
  dataDir,
  file,
  sources,
  mayReplaceKeys = false,
}: RestoreOptions): Promise<{ tables: number; rows: number; hasKeys: boolean; copiesOfKeys: string[] }> {
  const { header, files } = await verifyBackup(file)
  const ownMigrations = migrationsOfBackup(header, file, sources)
  const keys = new Map([...files].filter(([name]) => keyFiles.includes(name)))
  // Before `connect`, so that a refusal comes before the load, and leaves no new embedded database beside these keys.
  assertKeysCanBeStored(dataDir, keys, mayReplaceKeys)
  const client = new Client({ ...(await connect()), application_name: 'banyan restore' })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin')
    await client.query(
      'set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0',
    )
    // Under the lock, no server can migrate the database between the check and the first migration.
    await lockMigrations(client)
    await assertEmpty(client)
    await migrateInTransaction(client, sources, ({ source, name }) => ownMigrations.has(`${source}/${name}`))
    const loaded = await loadBackup(client, file)
    await migrateInTransaction(client, sources)
    await callProductHook(client, 'on_restore')
    const copiesOfKeys = await commitWithKeys(client, dataDir, keys, mayReplaceKeys)
    await client.query('analyze')
    return { tables: loaded.tables, rows: loaded.rows, hasKeys: keys.size > 0, copiesOfKeys }
  } finally {
    // Closing the connection rolls back an open transaction.
    await client.end()
  }
}

/** Returns the backup's migrations (`source/name`), or those that replace them. Throws if this release lacks or has changed any. */
function migrationsOfBackup(
  header: BackupHeader,
  file: string,
  sources: readonly MigrationSource[],
): ReadonlySet<string> {
  const migrations = sources.flatMap(readMigrations)
  const checksumsHere = new Map(migrations.map((found) => [`${found.source}/${found.name}`, found.checksum]))
  const recorded = sources.reduce<readonly AppliedMigration[]>(
    (found, source) => withReplacements(found, source, migrations, file),
    header.migrations,
  )
  const names = recorded.map(({ source, name, checksum }) => {
    const key = `${source}/${name}`
    if (!checksumsHere.has(key)) {
      throw new UnusableBackupError(
        `${file} was written by a newer release (it contains the migration ${key}). Restore it with that release.`,
      )
    }
    if (checksumsHere.get(key) !== checksum) {
      throw new UnusableBackupError(
        `${file} contains another version of the migration ${key}. Restore it with the release that wrote it.`,
      )
    }
    return key
  })
  return new Set(names)
}

async function loadBackup(client: Client, file: string): Promise<{ tables: number; rows: number }> {
  const areAllTriggersOff = await disableTriggers(client)
  const tables = await storedTables(client)
  // The tables are emptied, because the backup also contains the rows that migrations insert. Triggers are disabled
  // first, because one of them forbids emptying the audit log.
  if (!areAllTriggersOff) await setUserTriggers(client, tables, 'disable')
  if (tables.length > 0) await client.query(`truncate ${tables.map(quotedTableName).join(', ')}`)

  let counts = { tables: 0, rows: 0 }
  const entries = readBackup(file)
  for await (const entry of entries) {
    if (entry.kind === 'T') await loadTable(client, entry.value, entries)
    if (entry.kind === 'S') await setSequence(client, entry.value)
    if (entry.kind === 'Z') counts = entry.value
  }

  if (areAllTriggersOff) await client.query(`set local session_replication_role = 'origin'`)
  else await setUserTriggers(client, tables, 'enable')
  return counts
}

/**
 * Turns triggers and foreign keys off for this transaction, with `session_replication_role`. Returns false if the owner
 * role may not set this (it is no superuser). Then the calling code disables the tables' own triggers. In this case foreign
 * keys stay on, and are satisfied because referenced tables are filled first.
 */
async function disableTriggers(client: Client): Promise<boolean> {
  await client.query('savepoint silence')
  try {
    await client.query(`set local session_replication_role = 'replica'`)
    return true
  } catch {
    await client.query('rollback to savepoint silence')
    return false
  }
}

async function setUserTriggers(
  client: Client,
  tables: readonly BackupTable[],
  state: 'enable' | 'disable',
): Promise<void> {
  for (const table of tables) await client.query(`alter table ${quotedTableName(table)} ${state} trigger user`)
}

async function loadTable(client: Client, table: BackupTable, entries: AsyncGenerator<BackupEntry>): Promise<void> {
  const columns = table.columns.map(quoteIdentifier).join(', ')
  const copyStream = client.query(copyFrom(`copy ${quotedTableName(table)} (${columns}) from stdin`))
  let expectedRows = -1
  await pipeline(async function* () {
    for (;;) {
      const { value: entry, done } = await entries.next()
      if (done || entry.kind === 'E') {
        expectedRows = entry?.value.rows ?? -1
        return
      }
      if (entry.kind === 'D') yield entry.value
    }
  }, copyStream)
  if (copyStream.rowCount !== expectedRows)
    throw new UnusableBackupError(
      `The restored table ${quotedTableName(table)} has ${copyStream.rowCount} rows instead of ${expectedRows}. Use another copy of the backup.`,
    )
}

async function setSequence(
  client: Client,
  { schema, name, value, called }: { schema: string; name: string; value: string; called: boolean },
): Promise<void> {
  const { rows } = await client.query('select to_regclass($1) as found', [
    `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`,
  ])
  if (rows[0].found)
    await client.query('select setval($1::regclass, $2, $3)', [
      `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`,
      value,
      called,
    ])
}
