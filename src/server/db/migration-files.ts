import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A folder of migrations: `*.sql`, applied in the order of their names, each once. */
export interface MigrationSource {
  /** Stands in the record: what the server itself brings (`platform`), or the product (`product`). */
  name: string
  folder: string
  /** A folder that says which earlier migrations these have replaced (squashed-chain.ts); none where there were none. */
  squashed?: string
}

/** One file. */
export interface Migration {
  source: string
  name: string
  text: string
  checksum: string
}

/** The migrations of a folder, in order; none where there is no such folder. */
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
