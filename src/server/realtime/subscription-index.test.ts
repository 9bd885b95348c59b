import { expect, test } from 'vitest'
import type { Channel } from './channel.ts'
import type { LiveTable } from './live-tables.ts'
import type { Subscription } from './subscription.ts'
import { SubscriptionIndex } from './subscription-index.ts'

const tables = new Map([[1, { oid: 1, scopeColumn: 'scope_id' } as LiveTable]])
const channel = (sub: string | null) => ({ caller: { sub } }) as Channel
const about = (scope: string | null) =>
  ({
    tables: new Set([1]),
    filter: scope === null ? null : { column: 'scope_id', equals: scope },
  }) as unknown as Subscription

test('the subscription index returns only subscriptions of the given users', () => {
  const index = new SubscriptionIndex()
  for (const sub of ['ana', 'bo', 'eve']) index.add(channel(sub), [about('acme'), about('umbra'), about(null)], tables)
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
  const ana = channel('ana')
  index.add(ana, [about('acme'), about(null)], tables)
  index.remove(ana)
  expect([index.size, index.has(1, 'acme'), [...index.find(1, 'acme', ['ana'])]]).toEqual([0, false, []])
})
