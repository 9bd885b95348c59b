import { describe, expect, test } from 'vitest'
import {
  acme,
  ana,
  type LoneTab,
  openLoneTab,
  putRows,
  untilIdle,
  serverRow,
  setModes,
} from '#tests/harness/lone-tab.ts'
import { type PreparedResponse, refusalResponse } from '#tests/harness/prepared-network.ts'
import { reachable } from '#web/data/server/network.ts'
import { addToQueue } from '#web/data/store/queue.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { brandOfRecord, recordView } from './use-record.ts'

const readRequest = 'GET /rest/v1/deals'
const id = '00000000-0000-4000-8000-000000000001'
const roof = serverRow({ id, name: 'Roof', contact_id: 'owen', version: 3 })
const unknown = { ready: false, row: null, missing: false }
const missing = { ready: true, row: null, missing: true }

interface Looking extends LoneTab {
  seen: () => ReturnType<ReturnType<typeof recordView<'deals'>>['read']>
  notifiedTimes: () => number
  stop: () => void
}

const noPreparation = (_tab: LoneTab): unknown => null

async function openRecord(answer: PreparedResponse, { of = id, prepare = noPreparation } = {}): Promise<Looking> {
  const tab = await openLoneTab({ windowed: ['deals', 'contacts'] })
  tab.network.on(readRequest, () => answer)
  await prepare(tab)
  const view = recordView(tab.data, 'deals', of)
  let notifiedTimes = 0
  const stop = view.subscribe(() => (notifiedTimes += 1))
  return { ...tab, seen: view.read, notifiedTimes: () => notifiedTimes, stop }
}

describe('a record that is on this device', () => {
  test('a record that is on this device is shown, and the rows it refers to are fetched', async () => {
    const tab = await openRecord(null, { prepare: ({ data }) => putRows(data, 'deals', { ...roof }) })
    expect(tab.seen()).toMatchObject({ ready: true, row: { name: 'Roof' }, missing: false })
    const first = tab.seen()
    putRows(tab.data, 'deals', { id: 'other' })
    expect(tab.seen()).toBe(first)
    tab.clock.advance(20)
    await untilIdle(20)
    expect(tab.network.lines).toEqual(['GET /rest/v1/contacts'])
    putRows(tab.data, 'deals', { ...roof, name: 'Ruf', version: 4 })
    expect(tab.seen()).toMatchObject({ row: { name: 'Ruf' } })
  })

  test('a record that is on this device is missing after it is deleted, and shown again after it is restored', async () => {
    const tab = await openRecord({ body: [] }, { prepare: ({ data }) => putRows(data, 'deals', { ...roof }) })
    expect(tab.seen().missing).toBe(false)
    tab.data.tables.deals.write([], [id])
    expect(tab.seen()).toEqual(missing)
    putRows(tab.data, 'tasks', { id: 'x' })
    tab.data.loaded.set(false)
    expect(tab.seen()).toEqual(missing)
    putRows(tab.data, 'deals', { ...roof })
    expect(tab.seen().missing).toBe(false)
  })
})

describe('a record that is not on this device', () => {
  test('a record that is not on this device is requested once', async () => {
    const tab = await openRecord({ body: [roof] })
    expect(tab.seen()).toEqual(unknown)
    putRows(tab.data, 'deals', { id: 'other' })
    reachable(tab.device).set(false)
    await untilIdle()
    expect(tab.seen()).toMatchObject({ ready: true, row: { name: 'Roof' } })
    expect(tab.network.sent).toMatchObject([
      { line: readRequest, filters: { id: `in.(${id})`, brand_id: `eq.${acme}` } },
    ])
    expect(tab.notifiedTimes()).toBeGreaterThan(0)
  })

  test('a record that is not on this device is requested again if it leaves this device without being deleted', async () => {
    const tab = await openRecord({ body: [roof] })
    await untilIdle()
    tab.data.tables.deals.write([], [id])
    await untilIdle()
    expect([tab.seen().row?.name, tab.network.of(readRequest).length]).toEqual(['Roof', 2])
  })

  test('a record that is not on this device is missing if the server does not have it or refuses, and is not requested again', async () => {
    for (const answer of [{ body: [] }, refusalResponse(403, '42501')]) {
      const tab = await openRecord(answer)
      await untilIdle()
      expect(tab.seen()).toEqual(missing)
      putRows(tab.data, 'deals', { id: 'other' })
      await untilIdle()
      expect(tab.network.sent).toHaveLength(1)
    }
  })

  test('a record that is not on this device stays unknown without an answer, and is requested again when the server is back', async () => {
    const tab = await openRecord(null)
    await untilIdle()
    expect(tab.seen()).toEqual(unknown)
    tab.network.on(readRequest, () => ({ body: [roof] }))
    reachable(tab.device).set(true)
    await untilIdle()
    expect(tab.seen()).toMatchObject({ row: { name: 'Roof' } })
  })

  test('a record that is not on this device is missing without an answer if the table is complete', async () => {
    const tab = await openRecord(null, { prepare: ({ data }) => setModes(data, []) })
    expect(tab.seen()).toEqual(unknown)
    await untilIdle()
    expect(tab.seen()).toEqual(missing)
    tab.data.loaded.set(false)
    expect(tab.seen()).toEqual(missing)
  })

  test('a record that is not on this device is requested only after the stored rows have been read', async () => {
    const tab = await openRecord({ body: [roof] }, { prepare: ({ data }) => data.loaded.set(false) })
    await untilIdle()
    expect([tab.seen(), tab.network.sent]).toEqual([unknown, []])
    tab.data.loaded.set(true)
    await untilIdle()
    expect(tab.network.sent).toHaveLength(1)
  })

  test('a record that is not on this device is missing if it was deleted here, also by a waiting operation, and despite an older answer', async () => {
    const deleted = await openRecord({ body: [roof] }, { prepare: ({ data }) => data.recentlyDeleted.set(id, 3) })
    expect(deleted.seen()).toEqual(missing)
    await untilIdle()
    expect(deleted.data.tables.deals.get(id)).toBeUndefined()
    const deletion = testOperation({ userId: ana, brandId: acme, kind: 'delete', rowId: id, rowIds: [id], values: {} })
    const waiting = await openRecord({ body: [roof] }, { prepare: ({ device }) => addToQueue(device, deletion) })
    await untilIdle()
    expect([waiting.seen(), waiting.network.sent]).toEqual([missing, []])
  })

  test('a record that is not on this device is shown if somebody has restored it since, because its version is then higher', async () => {
    const tab = await openRecord({ body: [roof] }, { prepare: ({ data }) => data.recentlyDeleted.set(id, 2) })
    await untilIdle()
    expect(tab.seen()).toMatchObject({ row: { name: 'Roof' } })
  })

  test('a record that is not on this device is missing if its id is not a uuid; without an id there is nothing to show', async () => {
    for (const wrongId of ['roof', `x${id}`, `${id}0`, `0${id}`]) {
      const wrong = await openRecord({ body: [roof] }, { of: wrongId })
      expect([wrong.seen(), wrong.network.sent]).toEqual([missing, []])
    }
    const none = await openRecord({ body: [roof] }, { of: '' })
    expect(none.seen()).toEqual({ ready: true, row: null, missing: false })
    await untilIdle()
    expect(none.network.sent).toEqual([])
  })

  test('a record that is not on this device is not requested after its subscriber has left', async () => {
    const tab = await openRecord(null)
    await untilIdle()
    tab.stop()
    tab.data.loaded.set(false)
    tab.data.loaded.set(true)
    putRows(tab.data, 'deals', { id: 'other' })
    reachable(tab.device).set(true)
    await untilIdle()
    expect(tab.network.sent).toHaveLength(1)
  })
})

describe('the brand of a record', () => {
  test('the brand of a record is the one that the server returns, or null if the server returns none or refuses', async () => {
    const tab = await openLoneTab()
    tab.network.on(readRequest, () => ({ body: [{ brand_id: 'other' }] }))
    expect(await brandOfRecord(tab.device, 'deals', id)).toBe('other')
    expect(tab.network.sent[0]?.filters).toEqual({ select: 'brand_id', id: `eq.${id}`, limit: '1' })
    tab.network.on(readRequest, () => ({ body: [] }))
    expect(await brandOfRecord(tab.device, 'deals', id)).toBeNull()
    tab.network.on(readRequest, () => refusalResponse(403, '42501'))
    expect(await brandOfRecord(tab.device, 'deals', id)).toBeNull()
  })

  test('the brand of a record is not requested without a valid id or an open brand', async () => {
    const tab = await openLoneTab()
    expect(await brandOfRecord(tab.device, 'deals', 'roof')).toBeNull()
    tab.data.close()
    expect(await brandOfRecord(tab.device, 'deals', id)).toBeNull()
    expect(tab.network.sent).toEqual([])
  })
})
