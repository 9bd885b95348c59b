import type { ClientBase, Pool } from 'pg'
import { type Migration, type MigrationSource, readMigrations } from './migration-files.ts'
import { migrationError } from './migration-error.ts'
import { type AppliedMigration, replaceSquashedMigrations } from './squashed-migrations.ts'

/**
 * Key of the advisory lock that a server holds while it changes the database at its start. The number has no meaning, but must be the same in every
 * server, so that two servers change the database one after the other.
 */
const lockKey = 7_203_118_461

/**
 * Applies the missing migrations under an advisory lock, and records name and checksum in `server.migrations`. Returns how
 * many were applied. All files are applied in one transaction: if one fails, the database stays as it was, so the earlier
 * release still starts on it. Throws an error that says what to do if an applied file was edited, or is missing here because a
 * newer release applied it. If a file's SQL fails, the error names the file, and has the SQLSTATE.
 */
export async function migrate(owner: Pool, sources: readonly MigrationSource[]): Promise<number> {
  const migrations = sources.flatMap(readMigrations)
  return underMigrationLock(owner, (client) =>
    inTransaction(client, async () => {
      await createMigrationTable(client)
      for (const source of sources)
        await replaceSquashedMigrations(client, source, await readAppliedMigrations(client), migrations)
      const missing = await findMissingMigrations(client, migrations)
      for (const migration of missing) await applyMigration(client, migration)
      return missing.length
    }),
  )
}

async function inTransaction<T>(client: ClientBase, run: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const result = await run()
    await client.query('commit')
    return result
  } catch (error) {
    // On a lost connection this fails too. The database then rolls back by itself.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/**
 * Takes the lock of `migrate`, calls `run` with the connection that holds the lock, and releases the lock. So the steps of a start that
 * change the database run in one server at a time.
 */
export async function underMigrationLock<T>(owner: Pool, run: (client: ClientBase) => Promise<T>): Promise<T> {
  const client = await owner.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    try {
      return await run(client)
    } finally {
      // On a lost connection this fails. The lock has ended with the connection.
      await client.query('select pg_advisory_unlock($1)', [lockKey]).catch(() => {})
    }
  } finally {
    client.release()
  }
}

/** Takes the lock of `migrate` until the end of the open transaction of `client`. Taking it again has no effect. */
export async function lockMigrations(client: ClientBase): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [lockKey])
}

/** Applies the missing migrations for which `isWanted` is true (default: all) inside an open transaction of `client`. */
export async function migrateInTransaction(
  client: ClientBase,
  sources: readonly MigrationSource[],
  isWanted: (migration: Migration) => boolean = () => true,
): Promise<void> {
  await lockMigrations(client)
  await createMigrationTable(client)
  const missing = await findMissingMigrations(client, sources.flatMap(readMigrations))
  for (const migration of missing) {
    if (isWanted(migration)) await applyMigration(client, migration)
  }
}

async function findMissingMigrations(client: ClientBase, migrations: readonly Migration[]): Promise<Migration[]> {
  const rows = await readAppliedMigrations(client)
  const recordedChecksums = new Map(rows.map((row) => [`${row.source}/${row.name}`, row.checksum]))
  assertUnchanged(recordedChecksums, migrations)
  return migrations.filter((migration) => !recordedChecksums.has(`${migration.source}/${migration.name}`))
}

async function createMigrationTable(client: ClientBase): Promise<void> {
  await client.query(`
    set client_min_messages = warning;
    create schema if not exists server;
    revoke all on schema server from public;
    create table if not exists server.migrations (
      source text not null,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now(),
      primary key (source, name)
    );
    reset client_min_messages`)
}

async function readAppliedMigrations(client: ClientBase): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>('select source, name, checksum from server.migrations')
  return rows
}

function assertUnchanged(recordedChecksums: ReadonlyMap<string, string>, migrations: readonly Migration[]): void {
  const checksumsHere = new Map(
    migrations.map((migration) => [`${migration.source}/${migration.name}`, migration.checksum]),
  )
  for (const [key, checksum] of recordedChecksums) {
    const found = checksumsHere.get(key)
    if (found === undefined) {
      throw new Error(
        `The database was migrated by a newer release (${key} is not part of this one). Start that release, or restore a backup of this release into an empty database.`,
      )
    }
    if (found !== checksum) {
      throw new Error(
        `The migration ${key} was edited after it had been applied to this database. Restore the file as it was, and make the change in a new migration.`,
      )
    }
  }
}

/** Applies one migration inside an open transaction. */
async function applyMigration(client: ClientBase, { source, name, text, checksum }: Migration): Promise<void> {
  try {
    // Supabase's own tool sets the same search path, so a migration has the same meaning there and here.
    await client.query('set local search_path = public, extensions')
    await client.query(text)
    await client.query('insert into server.migrations (source, name, checksum) values ($1, $2, $3)', [
      source,
      name,
      checksum,
    ])
  } catch (error) {
    throw migrationError(`The migration ${source}/${name} failed: ${describeError(error, text)}`, error)
  }
}

function describeError(error: unknown, text: string): string {
  if (!(error instanceof Error)) return String(error)
  const position = Number((error as { position?: string }).position)
  return position > 0 ? `${error.message} (line ${text.slice(0, position).split('\n').length})` : error.message
}
