import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '#server/db/project-root.ts'
import { roleOfKey } from './socket-key.ts'

const keys = { publishableKey: 'sb_publishable_1', secretKey: 'sb_secret_1' }

it('the publishable key gives the role anon, the secret key gives service_role, and any other text is no key', () => {
  expect(roleOfKey('sb_publishable_1', keys)).toBe('anon')
  expect(roleOfKey('sb_secret_1', keys)).toBe('service_role')
  for (const key of [
    '',
    'sb_secret_',
    'sb_secret_2',
    'sb_secret_11',
    'sb_publishable_2',
    undefined,
    null,
    1,
    ['sb_secret_1'],
  ])
    expect([key, roleOfKey(key, keys)]).toEqual([key, null])
  for (const empty of ['', undefined, null])
    expect(roleOfKey(empty, { ...keys, publishableKey: '', secretKey: '' })).toBeNull()
})

it('no file of the server compares the secret key with an operator whose time depends on the first wrong character', () => {
  const folder = join(projectRoot(), 'src/server')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test)\.ts$/.test(name),
  )
  expect(files.length).toBeGreaterThan(100)
  const comparison = /[=!]== *[\w.]*\bsecretKey\b|\bsecretKey *[=!]==|\bsecretKey\]\.(includes|indexOf)\(/
  expect(files.filter((name) => comparison.test(readFileSync(join(folder, name), 'utf8')))).toEqual([])
})
