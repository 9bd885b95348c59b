import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { testDatabase } from '#tests/harness/database.ts'
import type { Channel } from './channel.ts'
import { Hub } from './hub.ts'

test('a channel that is closed before the tables of its bindings are read leaves no subscription behind', async () => {
  const database = await testDatabase()
  const { owner } = database
  const hub = new Hub({ owner, live: owner, generation: 1 } as unknown as Database, pino({ level: 'silent' }))
  try {
    const subscriptions = [{ tables: new Set([1]), filter: null }]
    const channel = { caller: { sub: 'ana' }, isOpen: true, isPrivate: false, subscriptions } as unknown as Channel
    const listening = hub.listen(channel)
    channel.isOpen = false
    await listening
    expect(hub.index.size).toBe(0)
    channel.isOpen = true
    await hub.listen(channel)
    expect(hub.index.size).toBe(1)
  } finally {
    await hub.end()
    await database.drop()
  }
})
