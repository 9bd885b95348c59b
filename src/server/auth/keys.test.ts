import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadKeys } from './keys.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'banyan-keys-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const path = () => join(folder, 'keys.json')

it('keys are made once and read the next time, from a file that is its owner’s alone', async () => {
  const first = await loadKeys(folder, {})
  const second = await loadKeys(folder, {})
  expect([second.kid, second.publishableKey, second.secretKey]).toEqual([
    first.kid,
    first.publishableKey,
    first.secretKey,
  ])
  expect(second.refreshSecret.equals(first.refreshSecret)).toBe(true)
  expect((await stat(path())).mode & 0o777).toBe(0o600)
})

it('a damaged file is never written over: the server says what to do', async () => {
  await loadKeys(folder, {})
  const file = JSON.parse(await readFile(path(), 'utf8')) as Record<string, unknown>
  for (const damaged of [
    {},
    { ...file, secretKey: undefined },
    { ...file, signingKeys: 'x' },
    { ...file, refreshSecret: 1 },
  ]) {
    const text = JSON.stringify(damaged)
    await writeFile(path(), text)
    await expect(loadKeys(folder, {})).rejects.toThrow(`${path()} is damaged: put back the copy of your last backup`)
    expect(await readFile(path(), 'utf8')).toBe(text)
  }
  await writeFile(path(), JSON.stringify({ ...file, signingKeys: [] }))
  await expect(loadKeys(folder, {})).rejects.toThrow()
  await writeFile(path(), '{"publishableKey"')
  await expect(loadKeys(folder, {})).rejects.toThrow()
  expect(await readFile(path(), 'utf8')).toBe('{"publishableKey"')
})
