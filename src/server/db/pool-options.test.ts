import { expect, test } from 'vitest'
import { concurrencyLimitsOf, fourFifthsOf, type RequestPoolOptions, withDefaultOptions } from './pool-options.ts'

test('the default limits of the request pool are those that docs/security.md states', () => {
  const options = withDefaultOptions({} as RequestPoolOptions)
  expect(options).toMatchObject({ maxWaiting: 1_000, maxWaitingOfUser: 200, acquireTimeoutMs: 5_000 })
  expect(options.maxConnections + options.maxExtraConnections).toBe(30)
  expect(fourFifthsOf(30)).toBe(24)
  expect(concurrencyLimitsOf(options)).toEqual({
    perUser: 8,
    perUserOnUsedPaths: 6,
    perSlowUser: 3,
    perPath: 8,
    perGroup: 20,
    onlyIdleUsers: false,
  })
})
