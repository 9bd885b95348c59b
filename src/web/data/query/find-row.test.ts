import { describe, expect, test } from 'vitest'
import { answerOf, respondWith, respondToQueries } from '#tests/harness/answered-queries.ts'
import { type LoneTab, openLoneTab, putRows, untilIdle, serverRow } from '#tests/harness/lone-tab.ts'
import { collectionOf } from '#web/data/store/definition.ts'
import { reachable } from '#web/data/server/network.ts'
import { findRow } from './find-row.ts'
import type { Query } from './query.ts'

const query: Query<'contacts'> = { table: 'contacts', search: 'owen', limit: 50 }

/** Starts `findRow` for Owen's row. When it ends, `found` is the id of the row, or null if no row was found. */
function startFind({ device }: LoneTab) {
  const state: { found?: string | null } = {}
  void findRow(device, query, (data) => data.tables.contacts.get('owen')).then((row) => {
    state.found = row?.id ?? null
  })
  return state
}

describe('a row is found', () => {
  test('a row is found at once if it is on this device, and known to be missing at once if the table is complete', async () => {
    const tab = await openLoneTab({ windowed: ['contacts'] })
    putRows(tab.data, 'contacts', { id: 'owen' })
    const onDevice = startFind(tab)
    const onCompleteTable = startFind(await openLoneTab())
    await untilIdle(3)
    expect([onDevice.found, onCompleteTable.found]).toEqual(['owen', null])
  })

  test('a row is found, or known to be missing, when the server has answered', async () => {
    for (const rows of [[serverRow({ id: 'owen', first_name: 'Owen' })], []]) {
      const tab = await openLoneTab({ windowed: ['contacts'] })
      respondWith(tab.network, (question) => answerOf(rows, question))
      const state = startFind(tab)
      await untilIdle(20)
      expect(state).toEqual({})
      tab.clock.advance(4)
      await untilIdle()
      expect(state.found).toBe(rows[0]?.id ?? null)
      tab.clock.advance(0)
      tab.data.invalidate('contacts')
      await untilIdle(20)
      tab.clock.advance(4)
      await untilIdle(20)
      expect(tab.network.sent).toHaveLength(1)
    }
  })

  test('the search for a row is given up after three seconds, and at once while offline or without an open brand', async () => {
    const tab = await openLoneTab({ windowed: ['contacts'] })
    tab.network.on('POST /rest/v1/rpc/read_queries', () => new Promise(() => {}))
    const state = startFind(tab)
    await untilIdle(20)
    tab.clock.advance(2999)
    await untilIdle(3)
    expect(state).toEqual({})
    tab.clock.advance(1)
    await untilIdle(3)
    expect(state.found).toBeNull()
    const offline = await openLoneTab({ windowed: ['contacts'] })
    respondToQueries(offline.network, null)
    reachable(offline.device).set(false)
    const whileOffline = startFind(offline)
    offline.data.close()
    const whileClosed = startFind(offline)
    await untilIdle(3)
    expect([whileOffline.found, whileClosed.found]).toEqual([null, null])
  })

  test('a row that is stored on the device is found also before its table has been read, offline and online', async () => {
    for (const windowed of [[], ['contacts']] as const)
      for (const isReachable of [true, false]) {
        const tab = await openLoneTab({ windowed })
        tab.network.on('POST /rest/v1/rpc/read_queries', () => new Promise(() => {}))
        tab.data.loaded.set(false)
        reachable(tab.device).set(isReachable)
        const state = startFind(tab)
        await untilIdle(20)
        expect(state).toEqual({})
        collectionOf(tab.data, 'contacts').add([serverRow({ id: 'owen' })])
        await collectionOf(tab.data, 'contacts').endReading(async () => {})
        tab.data.loaded.set(true)
        await untilIdle(3)
        expect(state.found).toBe('owen')
      }
  })

  test('a row is still found if its table takes longer to read than the server may take to answer', async () => {
    const tab = await openLoneTab()
    tab.data.loaded.set(false)
    const state = startFind(tab)
    tab.clock.advance(3000)
    await untilIdle(3)
    expect(state).toEqual({})
    putRows(tab.data, 'contacts', { id: 'owen' })
    tab.data.loaded.set(true)
    await untilIdle(3)
    expect(state.found).toBe('owen')
  })
})
