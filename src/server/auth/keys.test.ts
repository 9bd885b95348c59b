import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadKeys } from './keys.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'banyan-keys-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const keyFilePath = () => join(folder, 'keys.json')

it('keys are generated once and then read, from a file that only its owner may read', async () => {
  const first = await loadKeys(folder, {})
  const second = await loadKeys(folder, {})
  expect([second.kid, second.publishableKey, second.secretKey]).toEqual([
    first.kid,
    first.publishableKey,
    first.secretKey,
  ])
  expect(second.refreshSecret.equals(first.refreshSecret)).toBe(true)
  expect((await stat(keyFilePath())).mode & 0o777).toBe(0o600)
})

it('servers that start at the same time get the same keys, which are the keys in the file', async () => {
  // The calls in this test run in one process. So they have the same process id, as servers in two containers may have.
  for (let round = 0; round < 10; round++) {
    const dataDir = join(folder, String(round))
    const keysOfServers = await Promise.all(Array.from({ length: 4 }, () => loadKeys(dataDir, {})))
    const { kid, secretKey } = await loadKeys(dataDir, {})
    expect(keysOfServers.map((keys) => [keys.kid, keys.secretKey])).toEqual(keysOfServers.map(() => [kid, secretKey]))
    expect(await readdir(dataDir)).toEqual(['keys.json'])
  }
})

it('a damaged key file is not overwritten, and the error says what to do', async () => {
  await loadKeys(folder, {})
  const text = await readFile(keyFilePath(), 'utf8')
  const file = JSON.parse(text) as { signingKeys: Record<string, unknown>[] }
  const damagedFiles = [
    {},
    { ...file, publishableKey: '' },
    { ...file, secretKey: undefined },
    { ...file, refreshSecret: 1 },
    { ...file, refreshSecret: '' },
    { ...file, signingKeys: 'x' },
    { ...file, signingKeys: [] },
    { ...file, signingKeys: [{ ...file.signingKeys[0], retiredAt: '2000-01-01T00:00:00Z' }] },
    { ...file, signingKeys: [{ ...file.signingKeys[0], x: 'AAAA' }] },
  ]
  const truncatedTexts = [0, 1, 16, text.length / 2, text.length - 3].map((length) => text.slice(0, length))
  for (const damaged of [
    ...damagedFiles.map((content) => JSON.stringify(content)),
    ...truncatedTexts,
    `\0${text}`,
    'null',
  ]) {
    await writeFile(keyFilePath(), damaged)
    await expect(loadKeys(folder, {}), damaged).rejects.toThrow(
      `${keyFilePath()} is damaged. Restore it from a backup; or remove it: then everybody is signed out`,
    )
    expect(await readFile(keyFilePath(), 'utf8')).toBe(damaged)
  }
})
