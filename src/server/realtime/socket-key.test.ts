import { expect, it } from 'vitest'
import type { ListenerKeys } from './listener-token.ts'
import { keyRole } from './socket-key.ts'

const keys = { publishableKey: 'sb_publishable_1', secretKey: 'sb_secret_1' } as ListenerKeys

it('the publishable key is anon, the secret key is service_role, and anything else is no key', () => {
  expect(keyRole('sb_publishable_1', keys)).toBe('anon')
  expect(keyRole('sb_secret_1', keys)).toBe('service_role')
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
    expect([key, keyRole(key, keys)]).toEqual([key, null])
  for (const empty of ['', undefined, null])
    expect(keyRole(empty, { ...keys, publishableKey: '', secretKey: '' })).toBeNull()
})
