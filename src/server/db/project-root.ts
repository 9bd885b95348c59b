import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MigrationSource } from './migration-files.ts'

/**
 * Returns the folder that contains package.json. Searches each parent folder of this file, because the file is in
 * src/server/db or, bundled, in dist/server.
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

/**
 * Returns the source of the platform's migrations: roles, schema auth and more. This server applies them before the product's
 * migrations. Supabase does not need them, because it has these roles and schemas already.
 */
export function platformMigrations(): MigrationSource {
  return { name: 'platform', folder: join(projectRoot(), 'src/server/db/platform') }
}

/** Returns the source of the product's migrations, which are in Supabase's format. */
export function productMigrations(): MigrationSource {
  const root = projectRoot()
  return { name: 'product', folder: join(root, 'supabase/migrations'), squashed: join(root, 'supabase/squashed') }
}
