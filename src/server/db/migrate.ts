import type { ClientBase, Pool } from 'pg'
import { type Migration, type MigrationSource, readMigrations } from './migration-files.ts'
import { type RecordedMigration, takeOver } from './squashed-chain.ts'

/** Any number; the same for every server on one database, so that two that start together take turns. */
const lockValue = 7_203_118_461

/**
 * Applies what is missing, under one advisory lock, each file in a transaction of its own, and records name and
 * checksum in `server.migrations`. Returns how many were applied. Throws, with what to do, when a recorded file was
 * edited or is not here (the database was migrated by a newer release), and names the file whose SQL fails.
 */
export async function migrate(owner: Pool, sources: readonly MigrationSource[]): Promise<number> {
  const migrations = sources.flatMap(readMigrations)
  const client = await owner.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockValue])
    try {
      await prepareRecord(client)
      for (const source of sources) await takeOver(client, source, await readRecord(client), migrations)
      return await applyMissing(client, migrations)
    } finally {
      await client.query('select pg_advisory_unlock($1)', [lockValue])
    }
  } finally {
    client.release()
  }
}

/**
 * The same inside a transaction of the caller: all files or nothing, and only those that are `wanted` (default: all).
 */
export async function migrateWithin(
  client: ClientBase,
  sources: readonly MigrationSource[],
  wanted: (migration: Migration) => boolean = () => true,
): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [lockValue])
  await prepareRecord(client)
  const missing = await findMissing(client, sources.flatMap(readMigrations))
  for (const migration of missing) {
    if (wanted(migration)) await applyOne(client, migration)
  }
}

async function applyMissing(client: ClientBase, migrations: readonly Migration[]): Promise<number> {
  const missing = await findMissing(client, migrations)
  for (const migration of missing) {
    await client.query('begin')
    try {
      await applyOne(client, migration)
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw error
    }
  }
  return missing.length
}

async function findMissing(client: ClientBase, migrations: readonly Migration[]): Promise<Migration[]> {
  const rows = await readRecord(client)
  const recorded = new Map(rows.map((row) => [`${row.source}/${row.name}`, row.checksum]))
  assertKnown(recorded, migrations)
  return migrations.filter((migration) => !recorded.has(`${migration.source}/${migration.name}`))
}

async function prepareRecord(client: ClientBase): Promise<void> {
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

async function readRecord(client: ClientBase): Promise<RecordedMigration[]> {
  const { rows } = await client.query<RecordedMigration>('select source, name, checksum from server.migrations')
  return rows
}

function assertKnown(recorded: ReadonlyMap<string, string>, migrations: readonly Migration[]): void {
  const here = new Map(migrations.map((migration) => [`${migration.source}/${migration.name}`, migration.checksum]))
  for (const [key, checksum] of recorded) {
    const found = here.get(key)
    if (found === undefined) {
      throw new Error(
        `The database was migrated by a newer release (${key} is not part of this one). Start that release, or restore a backup of this one into an empty database.`,
      )
    }
    if (found !== checksum) {
      throw new Error(
        `The migration ${key} was edited after it had been applied here. Put the file back as it was and make the change in a new migration.`,
      )
    }
  }
}

/** Inside a transaction that is open. */
async function applyOne(client: ClientBase, { source, name, text, checksum }: Migration): Promise<void> {
  try {
    // What Supabase's own tool migrates with, so that the same file means the same thing there and here.
    await client.query('set local search_path = public, extensions')
    await client.query(text)
    await client.query('insert into server.migrations (source, name, checksum) values ($1, $2, $3)', [
      source,
      name,
      checksum,
    ])
  } catch (error) {
    throw new Error(`The migration ${source}/${name} failed: ${describe(error, text)}`, { cause: error })
  }
}

function describe(error: unknown, text: string): string {
  if (!(error instanceof Error)) return String(error)
  const position = Number((error as { position?: string }).position)
  return position > 0 ? `${error.message} (line ${text.slice(0, position).split('\n').length})` : error.message
}
