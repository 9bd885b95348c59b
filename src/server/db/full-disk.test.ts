import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { prepareDataDirectory } from './data-directory.ts'
import { startPostmaster } from './postmaster.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'banyan-full-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Returns binaries whose programs print `output` and fail. `output` is that of PostgreSQL 18 on a full disk. */
function failingBinaries(output: string) {
  const program = join(folder, 'program')
  writeFileSync(program, `#!/bin/sh\ncat >&2 <<'END'\n${output}\nEND\nexit 1\n`)
  chmodSync(program, 0o755)
  return { initdb: program, postgres: program, majorVersion: 18 }
}

it('a first start on a full disk fails with one line and the code of a full disk', async () => {
  const binaries = failingBinaries(
    `creating configuration files ... initdb: error: could not write file "/data/postgres/pg_hba.conf": No space left on device
initdb: removing contents of data directory "/data/postgres"`,
  )
  const directory = join(folder, 'postgres')
  await expect(prepareDataDirectory(directory, binaries, null)).rejects.toMatchObject({
    code: 'ENOSPC',
    message: `the disk of ${directory} is full. Free some space, or choose another DATA_DIR.`,
  })
})

it('a start on a full disk names the full disk, not its consequence', async () => {
  const binaries = failingBinaries(
    `2026-11-28 10:00:00 UTC [12] LOG:  starting PostgreSQL 18.4
2026-11-28 10:00:00 UTC [15] FATAL:  could not write to file "pg_wal/xlogtemp.15": No space left on device
2026-11-28 10:00:00 UTC [12] FATAL:  checkpoint request failed`,
  )
  const dataDirectory = join(folder, 'postgres')
  mkdirSync(dataDirectory)
  const start = startPostmaster({ binaries, dataDirectory, user: null, settings: {}, onLine: () => {} })
  await expect(start).rejects.toMatchObject({
    code: 'POSTGRES_DOWN',
    message: expect.stringMatching(/^PostgreSQL ended while starting: .*: No space left on device$/),
  })
})
