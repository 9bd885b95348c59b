import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { watchKeys } from './key-watch.ts'
import { keyFileName, loadKeys } from './keys.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'banyan-watch-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('a key file that is damaged while the server runs is logged once, and the current keys stay in use', async () => {
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(line) })
  const keys = await loadKeys(folder)
  const { kid } = keys
  const { check, stop } = watchKeys(folder, keys, log)
  await writeFile(join(folder, keyFileName), '{"publishableKey"')
  for (let round = 0; round < 3; round++) {
    await check()
    await sleep(1_010)
  }
  stop()
  expect(keys.kid).toBe(kid)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('is damaged. Restore it from a backup')
})
