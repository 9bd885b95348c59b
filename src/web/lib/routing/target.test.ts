import { expect, test } from 'vitest'
import { addressOf } from './target.ts'

test('the target of a link becomes a URL', () => {
  expect(addressOf({ to: '/crm/overview' })).toBe('/crm/overview')
  expect(addressOf({ to: '/crm/tasks', search: { mine: 1, owner: undefined } })).toBe('/crm/tasks?mine=1')
  expect(addressOf({ to: '/crm/settings', search: { tab: 'security' } })).toBe('/crm/settings?tab=security')
  expect(addressOf({ to: '/crm/import-contacts', hash: 'import-7' })).toBe('/crm/import-contacts#import-7')
})

test('a link to an unknown page, or with a parameter or value that its page does not have, does not compile', () => {
  // @ts-expect-error -- there is no such page
  expect(addressOf({ to: '/crm/task' })).toBe('/crm/task')
  // @ts-expect-error -- there is no such tab
  expect(addressOf({ to: '/crm/settings', search: { tab: 'teams' } })).toBe('/crm/settings?tab=teams')
  // @ts-expect-error -- lists have no tabs
  expect(addressOf({ to: '/crm/tasks', search: { tab: 'security' } })).toBe('/crm/tasks?tab=security')
})
