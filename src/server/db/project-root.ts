import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MigrationSource } from './migration-files.ts'

/**
 * Returns the folder of package.json. Looks for it in each parent folder, because this file runs from src/server/db and,
 * bundled, from dist/server.
 */
export function projectRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error('The server must run from inside its project: package.json was not found.')
    folder = parent
  }
  return folder
}

/** The SQL that only the bundled server applies, before the product's (roles, schema auth, …). Supabase provides this itself. */
export function platformMigrations(): MigrationSource {
  return { name: 'platform', folder: join(projectRoot(), 'src/server/db/platform') }
}

/** The product's SQL, in Supabase's format. */
export function productMigrations(): MigrationSource {
  const root = projectRoot()
  return { name: 'product', folder: join(root, 'supabase/migrations'), squashed: join(root, 'supabase/squashed') }
}
