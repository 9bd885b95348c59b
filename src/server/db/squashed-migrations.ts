import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientBase } from 'pg'
import type { Migration, MigrationSource } from './migration-files.ts'
import { migrationError } from './migration-error.ts'

/** A migration that was applied to a database, as the database or a backup lists it. */
export interface AppliedMigration {
  source: string
  name: string
  checksum: string
}

/** Migrations from before the first release, which were replaced by fewer migrations with the same result. */
interface SquashedMigrations {
  /** The SHA-256 checksums of the replaced migrations, by their names. */
  replaced: Record<string, string>
  /** The names of the migrations that replace the migrations in `replaced`. */
  by: string[]
}

/**
 * Returns true if `recorded` contains exactly the replaced migrations, false if it contains none of them. Throws an error if it
 * contains only some of them, an edited one of them, or in addition another migration of the same source. The error begins with
 * `subject`, and `advice` says what to do.
 */
function hasReplacedMigrations(
  recorded: readonly AppliedMigration[],
  source: MigrationSource,
  { subject, advice }: { subject: string; advice: string },
): boolean {
  const squashed = readSquashed(source)
  if (!squashed) return false
  const found = new Map(
    recorded.filter((applied) => applied.source === source.name).map(({ name, checksum }) => [name, checksum]),
  )
  if (!Object.keys(squashed.replaced).some((name) => found.has(name))) return false
  for (const name of new Set([...Object.keys(squashed.replaced), ...found.keys()])) {
    if (found.get(name) === squashed.replaced[name]) continue
    const problem = !found.has(name) ? 'is missing' : name in squashed.replaced ? 'was edited' : 'is not one of them'
    throw new Error(
      `${subject} was made before release 0.1.0, but not with the last migrations before it: ${source.name}/${name} ${problem}. ${advice}`,
    )
  }
  return true
}

/**
 * Returns the migrations that a backup lists. If those of `source` are the replaced migrations, returns in their place the
 * migrations that replace them, because both create the same tables and columns. Throws the error of `hasReplacedMigrations`.
 */
export function withReplacements(
  recorded: readonly AppliedMigration[],
  source: MigrationSource,
  migrations: readonly Migration[],
  file: string,
): readonly AppliedMigration[] {
  const advice =
    'Restore it with the version that wrote it. Then start the last version before 0.1.0, and after it this version.'
  if (!hasReplacedMigrations(recorded, source, { subject: file, advice })) return recorded
  return [...recorded.filter((applied) => applied.source !== source.name), ...replacements(source, migrations)]
}

/**
 * Upgrades a database that has exactly the replaced migrations, inside an open transaction of `client`: runs `renames.sql`,
 * which gives functions and triggers their new names, defines every function anew, and records the replacing migrations as
 * applied. Does nothing to a database that has none of the replaced migrations. Throws the error of `hasReplacedMigrations`.
 */
export async function replaceSquashedMigrations(
  client: ClientBase,
  source: MigrationSource,
  recorded: readonly AppliedMigration[],
  migrations: readonly Migration[],
): Promise<void> {
  const advice = 'Start the last version before 0.1.0 on it once, and then this one.'
  if (!source.squashed || !hasReplacedMigrations(recorded, source, { subject: 'The database', advice })) return
  const chapters = replacements(source, migrations)
  try {
    await client.query('set local search_path = public, extensions')
    await client.query(readFileSync(join(source.squashed, 'renames.sql'), 'utf8'))
    for (const { text } of chapters) for (const routine of routineStatements(text)) await client.query(routine)
    await client.query('delete from server.migrations where source = $1', [source.name])
    for (const { name, checksum } of chapters) {
      await client.query('insert into server.migrations (source, name, checksum) values ($1, $2, $3)', [
        source.name,
        name,
        checksum,
      ])
    }
  } catch (error) {
    throw migrationError(
      `The migrations from before release 0.1.0 could not be replaced: ${(error as Error).message}`,
      error,
    )
  }
}

function replacements(source: MigrationSource, migrations: readonly Migration[]): Migration[] {
  const by = new Set(readSquashed(source)?.by)
  return migrations.filter((migration) => migration.source === source.name && by.has(migration.name))
}

/** Returns the statements `create function` and `create procedure` of a migration, each as `create or replace`. */
function routineStatements(text: string): string[] {
  const found = text.match(/^create (?:function|procedure) [\s\S]*?^\$\$;$/gm) ?? []
  return found.map((statement) => statement.replace('create', 'create or replace'))
}

function readSquashed({ squashed }: MigrationSource): SquashedMigrations | null {
  return squashed ? (JSON.parse(readFileSync(join(squashed, 'checksums.json'), 'utf8')) as SquashedMigrations) : null
}
