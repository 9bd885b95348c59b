import { expect, test } from 'vitest'
import type { Channel } from './channel.ts'
import type { LiveTable } from './live-tables.ts'
import type { Subscription } from './subscription.ts'
import { SubscriptionIndex } from './subscription-index.ts'

const tables = new Map([[1, { oid: 1, scopeColumn: 'scope_id' } as LiveTable]])
const channelOf = (sub: string | null) => ({ caller: { sub } }) as Channel
const subscriptionTo = (scope: string | null) =>
  ({
    tables: new Set([1]),
    filter: scope === null ? null : { column: 'scope_id', equals: scope },
  }) as unknown as Subscription

test('the subscription index returns only subscriptions of the given users', () => {
  const index = new SubscriptionIndex()
  for (const sub of ['ana', 'bo', 'eve'])
    index.add(channelOf(sub), [subscriptionTo('acme'), subscriptionTo('umbra'), subscriptionTo(null)], tables)
  const found = [...index.find(1, 'ACME', ['ana', 'nobody'])].map(({ channel: { caller }, subscription }) => [
    caller.sub,
    subscription.filter?.equals,
  ])
  expect(found).toEqual([
    ['ana', 'acme'],
    ['ana', undefined],
  ])
})

test('the subscription index does not return the subscriptions of a removed channel', () => {
  const index = new SubscriptionIndex()
  const ana = channelOf('ana')
  index.add(ana, [subscriptionTo('acme'), subscriptionTo(null)], tables)
  index.remove(ana)
  expect([index.size, index.has(1, 'acme'), [...index.find(1, 'acme', ['ana'])]]).toEqual([0, false, []])
})
