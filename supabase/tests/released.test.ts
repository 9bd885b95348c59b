import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { readMigrations } from '#server/db/migration-files.ts'
import { platformMigrations, productMigrations, projectRoot } from '#server/db/project-root.ts'

/** SHA-256 of each migration that a release has shipped, by its path. A release adds its own. */
const released: Record<string, string> = JSON.parse(readFileSync(join(import.meta.dirname, '../released.json'), 'utf8'))

it('a released migration is unchanged, its comments too, because a database that has applied it would not start otherwise', () => {
  const present = Object.fromEntries(
    [platformMigrations(), productMigrations()].flatMap((source) =>
      readMigrations(source).map(({ name, checksum }) => [
        relative(projectRoot(), join(source.folder, name)),
        checksum,
      ]),
    ),
  )
  expect(Object.keys(released).length).toBeGreaterThanOrEqual(28)
  expect(present).toMatchObject(released)
})
