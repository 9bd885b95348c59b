import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A folder of migrations: files `*.sql`, each applied once, in the order of their names. */
export interface MigrationSource {
  /** Name of the source in `server.migrations`: `platform` (SQL of the server) or `product`. */
  name: string
  folder: string
  /** The folder that lists the earlier migrations that were replaced (squashed-migrations.ts). Undefined: none were replaced. */
  squashed?: string
}

/** One migration file. */
export interface Migration {
  source: string
  name: string
  text: string
  /** SHA-256 of the text with LF line ends, in hex. */
  checksum: string
}

/** Returns the migrations of a folder in order. Returns an empty list if the folder does not exist. */
export function readMigrations({ name: source, folder }: MigrationSource): Migration[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      return { source, name, text, checksum: createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex') }
    })
}
