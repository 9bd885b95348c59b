import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Client, type ClientConfig } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { type BackupEntry, type BackupHeader, type BackupTable, writeBackup } from './backup-format.ts'
import { assertHasTable } from './server-tables.ts'

/**
 * The files of DATA_DIR that a backup contains: the keys of the installation. Without these keys, all sessions and mailed links
 * become invalid.
 */
export const keyFiles = ['keys.json']

export interface BackupOptions {
  /** The connection settings of the owner role. */
  connection: ClientConfig
  /** The data directory (absolute path). */
  dataDir: string
  /** The file to write (absolute path). It must not exist. */
  file: string
}

/**
 * Writes all data (all tables of all schemas, sequences, the keys of DATA_DIR) to `file` from one snapshot, while the
 * server keeps running. The file gets its name only when it is complete. Returns how many tables and rows it contains. Throws
 * an error that says what to do if the file exists, or if the keys cannot be read.
 */
export async function backUp({ connection, dataDir, file }: BackupOptions): Promise<{ tables: number; rows: number }> {
  if (isDirectory(file)) throw new Error(`${file} is a directory. Name a file.`)
  if (existsSync(file)) throw new Error(`${file} exists already. Choose another name, or remove it first.`)
  const keys = keyFiles.map((name) => ({ name, content: readKeys(join(dataDir, name)) }))
  const draft = `${file}.partial`
  if (isDirectory(draft))
    throw new Error(`${draft} is a directory. Move it away, or choose another name for the backup.`)
  rmSync(draft, { force: true })
  const client = new Client({ ...connection, application_name: 'banyan backup' })
  client.on('error', () => {})
  await client.connect()
  const counts = { tables: 0, rows: 0 }
  try {
    await client.query('begin isolation level repeatable read read only')
    await client.query(`set local timezone = 'UTC'; set local datestyle = 'ISO'`)
    // The timeouts that protect requests would end a long copy.
    await client.query(
      'set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0',
    )
    await writeBackup(draft, backupEntries(client, keys, counts))
    renameSync(draft, file)
    return counts
  } catch (error) {
    rmSync(draft, { force: true })
    // Node names the path of a file that it cannot open, but not of one that it cannot write to, such as on a full disk.
    const { code = '', syscall } = error as NodeJS.ErrnoException
    if (/^(ENOSPC|EDQUOT)$/.test(code) && syscall === 'write') Object.assign(error as Error, { path: draft })
    throw error
  } finally {
    await client.end()
  }
}

function isDirectory(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}

/** Returns the content of a key file in base64. */
function readKeys(path: string): string {
  try {
    return readFileSync(path, 'base64')
  } catch (error) {
    throw new Error(`${path} cannot be read (${(error as Error).message}). Set DATA_DIR as for the server.`, {
      cause: error,
    })
  }
}

async function* backupEntries(
  client: Client,
  keys: readonly { name: string; content: string }[],
  counts: { tables: number; rows: number },
): AsyncGenerator<BackupEntry> {
  yield { kind: 'H', value: await readHeader(client) }
  for (const table of await storedTables(client)) {
    const rows = yield* tableEntries(client, table)
    counts.tables++
    counts.rows += rows
  }
  yield* sequenceEntries(client)
  for (const value of keys) yield { kind: 'F', value }
  yield { kind: 'Z', value: counts }
}

async function readHeader(client: Client): Promise<BackupHeader> {
  await assertHasTable(client, 'server.migrations')
  const { rows } = await client.query(
    `select current_setting('server_version_num')::int / 10000 as postgres, now() as at,
            (select json_agg(json_build_object('source', source, 'name', name, 'checksum', checksum) order by source, name)
             from server.migrations) as migrations`,
  )
  return { createdAt: rows[0].at.toISOString(), postgres: rows[0].postgres, migrations: rows[0].migrations ?? [] }
}

/** Yields the entries of a table for the backup, and returns the number of its rows. */
async function* tableEntries(client: Client, table: BackupTable): AsyncGenerator<BackupEntry, number> {
  yield { kind: 'T', value: table }
  const digest = createHash('sha256')
  const columns = table.columns.map(quoteIdentifier).join(', ')
  const stream = client.query(copyTo(`copy ${quotedTableName(table)} (${columns}) to stdout`))
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    digest.update(chunk)
    yield { kind: 'D', value: chunk }
  }
  yield { kind: 'E', value: { rows: stream.rowCount, sha256: digest.digest('hex') } }
  return stream.rowCount
}

async function* sequenceEntries(client: Client): AsyncGenerator<BackupEntry> {
  const { rows } = await client.query<{ schema: string; name: string }>(
    `select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'S' and ${productRelationCondition('c')} order by 1, 2`,
  )
  for (const { schema, name } of rows) {
    const { rows: state } = await client.query(
      `select last_value::text as value, is_called as called from ${quoteIdentifier(schema)}.${quoteIdentifier(name)}`,
    )
    yield { kind: 'S', value: { schema, name, ...state[0] } }
  }
}

/**
 * Returns all tables to back up, with their stored (not generated) columns. Tables of PostgreSQL and of extensions are
 * left out, and so is the list of migrations, which a restore writes itself. A table comes after the tables that its
 * foreign keys refer to, unless the foreign keys form a cycle.
 */
export async function storedTables(client: Client): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable & { id: string; parents: string[] }>(
    `select c.oid::text as id, n.nspname as schema, c.relname as name,
            array(select a.attname::text from pg_attribute a
                  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
            array(select f.confrelid::text from pg_constraint f where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as parents
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and c.relpersistence <> 't' and ${productRelationCondition('c')} and (n.nspname, c.relname) <> ('server', 'migrations')
     order by 2, 3`,
  )
  const sorted: BackupTable[] = []
  const visited = new Set<string>()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const visit = (row: (typeof rows)[number]) => {
    if (visited.has(row.id)) return
    visited.add(row.id)
    for (const parent of row.parents) {
      const found = byId.get(parent)
      if (found) visit(found)
    }
    sorted.push({ schema: row.schema, name: row.name, columns: row.columns })
  }
  for (const row of rows) visit(row)
  return sorted
}

/**
 * Returns an SQL condition: the relation `alias` (of `pg_class`) belongs neither to PostgreSQL nor to an extension. The query
 * must join the relation's row of `pg_namespace` as `n`.
 */
export function productRelationCondition(alias: string): string {
  return `n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_'
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = ${alias}.oid and d.deptype = 'e')`
}

/** Returns a table's name, quoted for SQL: `"public"."notes"`. */
export function quotedTableName({ schema, name }: { schema: string; name: string }): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`
}

/** Quotes an identifier for SQL. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
