import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Client, type ClientConfig } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { keyFiles, isProductRelation, quoted, storedTables, tableName } from './backup.ts'
import {
  type BackupEntry,
  type BackupHeader,
  type BackupTable,
  readBackup,
  UnusableBackup,
  verifyBackup,
} from './backup-format.ts'
import { migrateWithin } from './migrate.ts'
import { type MigrationSource, readMigrations } from './migration-files.ts'
import { callHook } from './product-hooks.ts'
import { type RecordedMigration, withoutSquashed } from './squashed-chain.ts'

export interface RestoreOptions {
  /** Connects the owner to the database to fill. Called after the file is verified. */
  connect: () => Promise<ClientConfig>
  /** Absolute path. */
  dataDir: string
  /** Absolute path. */
  file: string
  sources: readonly MigrationSource[]
}

/**
 * Fills an empty database from a backup in one transaction: the backup's migrations, its rows exactly as they were (no
 * trigger changes them), this release's further migrations, and the hook that makes clients notice. Throws with one
 * sentence, and changes nothing, when the file is damaged or newer, or the database is not empty.
 */
export async function restore({
  connect,
  dataDir,
  file,
  sources,
}: RestoreOptions): Promise<{ tables: number; rows: number }> {
  const known = knownMigrations(await verifyBackup(file), file, sources)
  const client = new Client({ ...(await connect()), application_name: 'banyan restore' })
  client.on('error', () => {})
  await client.connect()
  try {
    await assertEmpty(client)
    await client.query('begin')
    await client.query(
      'set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0',
    )
    await migrateWithin(client, sources, ({ source, name }) => known.has(`${source}/${name}`))
    const loaded = await load(client, file)
    await migrateWithin(client, sources)
    await callHook(client, 'on_restore')
    const keys = draftKeys(dataDir, loaded.keys)
    await client.query('commit')
    keys()
    await client.query('analyze')
    return { tables: loaded.tables, rows: loaded.rows }
  } finally {
    // Closing the connection rolls back an open transaction.
    await client.end()
  }
}

async function assertEmpty(client: Client): Promise<void> {
  const { rows } = await client.query<{ table: string }>(
    `select n.nspname || '.' || c.relname as table from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and c.relpersistence <> 't' and ${isProductRelation('c')} order by 1 limit 1`,
  )
  const [found] = rows
  if (found) {
    throw new Error(
      `The database is not empty (it has the table ${found.table}). Restore into a new one, made with \`create database\`.`,
    )
  }
}

/** The backup's migrations. All of them must be part of this release, unchanged, or have been replaced in it. */
function knownMigrations(header: BackupHeader, file: string, sources: readonly MigrationSource[]): ReadonlySet<string> {
  const migrations = sources.flatMap(readMigrations)
  const here = new Map(migrations.map((found) => [`${found.source}/${found.name}`, found.checksum]))
  const recorded = sources.reduce<readonly RecordedMigration[]>(
    (found, source) => withoutSquashed(found, source, migrations, file),
    header.migrations,
  )
  const names = recorded.map(({ source, name, checksum }) => {
    const key = `${source}/${name}`
    if (!here.has(key)) {
      throw new UnusableBackup(
        `${file} was written by a newer release (it knows ${key}). Restore it with that release.`,
      )
    }
    if (here.get(key) !== checksum) {
      throw new UnusableBackup(`${file} knows another version of ${key}. Restore it with the release that wrote it.`)
    }
    return key
  })
  return new Set(names)
}

async function load(
  client: Client,
  file: string,
): Promise<{ tables: number; rows: number; keys: Map<string, string> }> {
  const asReplica = await disableTriggers(client)
  const here = await storedTables(client)
  // Rows that migrations insert are among the backup's rows, so the tables are emptied. Triggers are disabled first:
  // one of them forbids to empty the audit log.
  if (!asReplica) await setUserTriggers(client, here, 'disable')
  if (here.length > 0) await client.query(`truncate ${here.map(tableName).join(', ')}`)

  const keys = new Map<string, string>()
  let counts = { tables: 0, rows: 0 }
  const entries = readBackup(file)
  for await (const entry of entries) {
    if (entry.kind === 'T') await loadTable(client, entry.value, entries)
    if (entry.kind === 'S') await setSequence(client, entry.value)
    if (entry.kind === 'F' && keyFiles.includes(entry.value.name)) keys.set(entry.value.name, entry.value.content)
    if (entry.kind === 'Z') counts = entry.value
  }

  if (asReplica) await client.query(`set local session_replication_role = 'origin'`)
  else await setUserTriggers(client, here, 'enable')
  return { ...counts, keys }
}

/**
 * In the role of a replica PostgreSQL runs neither triggers nor foreign keys; only a superuser may set it. Returns
 * false where that is not allowed: the owner then disables the tables' own triggers, and foreign keys are checked row
 * by row, with referenced tables first.
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
  for (const table of tables) await client.query(`alter table ${tableName(table)} ${state} trigger user`)
}

async function loadTable(client: Client, table: BackupTable, entries: AsyncGenerator<BackupEntry>): Promise<void> {
  const columns = table.columns.map(quoted).join(', ')
  const target = client.query(copyFrom(`copy ${tableName(table)} (${columns}) from stdin`))
  let expected = -1
  await pipeline(async function* () {
    for (;;) {
      const { value: entry, done } = await entries.next()
      if (done || entry.kind === 'E') {
        expected = entry?.value.rows ?? -1
        return
      }
      if (entry.kind === 'D') yield entry.value
    }
  }, target)
  if (target.rowCount !== expected)
    throw new UnusableBackup(`${tableName(table)} came back with ${target.rowCount} rows instead of ${expected}.`)
}

async function setSequence(
  client: Client,
  { schema, name, value, called }: { schema: string; name: string; value: string; called: boolean },
): Promise<void> {
  const { rows } = await client.query('select to_regclass($1) as found', [`${quoted(schema)}.${quoted(name)}`])
  if (rows[0].found)
    await client.query('select setval($1::regclass, $2, $3)', [`${quoted(schema)}.${quoted(name)}`, value, called])
}

/**
 * Writes the keys as drafts beside their final names. The returned function renames them after the rows are committed.
 */
function draftKeys(dataDir: string, keys: ReadonlyMap<string, string>): () => void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  for (const [name, content] of keys) {
    writeFileSync(join(dataDir, `${name}.restored`), Buffer.from(content, 'base64'), { mode: 0o600, flush: true })
  }
  return () => {
    for (const name of keys.keys()) renameSync(join(dataDir, `${name}.restored`), join(dataDir, name))
  }
}
