import { expect, it } from 'vitest'
import type { CallerKeys } from './caller-token.ts'
import { roleOfKey } from './socket-key.ts'

const keys = { publishableKey: 'sb_publishable_1', secretKey: 'sb_secret_1' } as CallerKeys

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
