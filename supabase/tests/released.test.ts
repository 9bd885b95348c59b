import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { readMigrations } from '#server/db/migration-files.ts'
import { platformMigrations, productMigrations, projectRoot } from '#server/db/project-root.ts'

/** Reads SHA-256 checksums of migrations, by their paths. */
const checksumsIn = (file: string): Record<string, string> =>
  JSON.parse(readFileSync(join(import.meta.dirname, '..', file), 'utf8'))

/** Migrations that a release has shipped. A release adds its own. */
const released = checksumsIn('released.json')
/** Migrations that were merged since the last release. A merge adds its migrations; a release moves all of them to released.json. */
const merged = checksumsIn('merged.json')

it('a released or merged migration is unchanged, its comments too, because a database that has applied it would not start otherwise', () => {
  const current = Object.fromEntries(
    [platformMigrations(), productMigrations()].flatMap((source) =>
      readMigrations(source).map(({ name, checksum }) => [
        relative(projectRoot(), join(source.folder, name)),
        checksum,
      ]),
    ),
  )
  expect(Object.keys(released).length).toBeGreaterThanOrEqual(28)
  expect(current).toEqual({ ...released, ...merged })
})
