import { expect, it } from 'vitest'
import type { HttpRequest } from '#server/http/exchange.ts'
import { factorIdOf, routePattern } from './factor-path.ts'

it.each([
  ['/auth/v1/factors/1-a', '1-a', '/auth/v1/factors/:id'],
  ['/auth/v1/factors/1-a/challenge', '1-a', '/auth/v1/factors/:id/challenge'],
  ['/auth/v1/factors/1-a/verify', '1-a', '/auth/v1/factors/:id/verify'],
  ['/auth/v1/factors/1-a/other', undefined, '/auth/v1/factors/1-a/other'],
  ['/auth/v1/factors/1-a/verify/x', undefined, '/auth/v1/factors/1-a/verify/x'],
  ['/x/auth/v1/factors/1-a', undefined, '/x/auth/v1/factors/1-a'],
  ['/auth/v1/factors/', undefined, '/auth/v1/factors/'],
  ['/auth/v1/factors', undefined, '/auth/v1/factors'],
])('the path %s contains the factor id %s and matches the route %s', (path, id, pattern) => {
  expect(factorIdOf({ path } as HttpRequest)).toBe(id)
  expect(routePattern(path)).toBe(pattern)
})
