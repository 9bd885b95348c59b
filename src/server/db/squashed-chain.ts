import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientBase } from 'pg'
import type { Migration, MigrationSource } from './migration-files.ts'

/** What a database or a backup says about a migration that it has. */
export interface RecordedMigration {
  source: string
  name: string
  checksum: string
}

/** Migrations that grew before the first release and were replaced, once, by fewer ones with the same result. */
interface SquashedChain {
  /** SHA-256 by name. */
  replaced: Record<string, string>
  /** The names of the migrations that stand for them. */
  by: string[]
}

/**
 * Whether these are the migrations that others have replaced. False where none of them is among them. Throws a sentence that
 * begins with `what` where some are missing, were edited, or stand beside others of their source; `instead` says what to do.
 */
function isSquashed(
  recorded: readonly RecordedMigration[],
  source: MigrationSource,
  { what, instead }: { what: string; instead: string },
): boolean {
  const chain = readChain(source)
  if (!chain) return false
  const found = new Map(
    recorded.filter((one) => one.source === source.name).map(({ name, checksum }) => [name, checksum]),
  )
  if (!Object.keys(chain.replaced).some((name) => found.has(name))) return false
  for (const name of new Set([...Object.keys(chain.replaced), ...found.keys()])) {
    if (found.get(name) === chain.replaced[name]) continue
    const problem = !found.has(name) ? 'is missing' : name in chain.replaced ? 'was edited' : 'is not one of them'
    throw new Error(
      `${what} was made before release 0.1.0, but not with the last migrations before it: ${source.name}/${name} ${problem}. ${instead}`,
    )
  }
  return true
}

/**
 * The migrations that a backup names, with those that were replaced exchanged for those that stand for them: the tables and
 * columns are the same. Throws one sentence where they are neither.
 */
export function withoutSquashed(
  recorded: readonly RecordedMigration[],
  source: MigrationSource,
  migrations: readonly Migration[],
  file: string,
): readonly RecordedMigration[] {
  const instead =
    'Restore it with the version that wrote it, and start the last version before 0.1.0 and then this one.'
  if (!isSquashed(recorded, source, { what: file, instead })) return recorded
  return [...recorded.filter((one) => one.source !== source.name), ...replacements(source, migrations)]
}

/**
 * Brings a database that has exactly the replaced migrations to those that stand for them, and records them as applied, in one
 * transaction: what was renamed is renamed, every function is defined anew. Does nothing in any other database.
 */
export async function takeOver(
  client: ClientBase,
  source: MigrationSource,
  recorded: readonly RecordedMigration[],
  migrations: readonly Migration[],
): Promise<void> {
  const instead = 'Start the last version before 0.1.0 on it once, and then this one.'
  if (!source.squashed || !isSquashed(recorded, source, { what: 'The database', instead })) return
  const chapters = replacements(source, migrations)
  await client.query('begin')
  try {
    await client.query('set local search_path = public, extensions')
    await client.query(readFileSync(join(source.squashed, 'renames.sql'), 'utf8'))
    for (const { text } of chapters) for (const routine of routines(text)) await client.query(routine)
    await client.query('delete from server.migrations where source = $1', [source.name])
    for (const { name, checksum } of chapters) {
      await client.query('insert into server.migrations (source, name, checksum) values ($1, $2, $3)', [
        source.name,
        name,
        checksum,
      ])
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`The migrations of before release 0.1.0 could not be replaced: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

function replacements(source: MigrationSource, migrations: readonly Migration[]): Migration[] {
  const by = new Set(readChain(source)?.by)
  return migrations.filter((one) => one.source === source.name && by.has(one.name))
}

/** Each `create function` or `create procedure` of a chapter, so that it replaces what is there. */
function routines(text: string): string[] {
  const found = text.match(/^create (?:function|procedure) [\s\S]*?^\$\$;$/gm) ?? []
  return found.map((one) => one.replace('create', 'create or replace'))
}

function readChain({ squashed }: MigrationSource): SquashedChain | null {
  return squashed ? (JSON.parse(readFileSync(join(squashed, 'checksums.json'), 'utf8')) as SquashedChain) : null
}
