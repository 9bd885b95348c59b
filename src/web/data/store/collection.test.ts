import { expect, test, vi } from 'vitest'
import { Collection } from './collection.ts'
import { operationsByRow } from './preview.ts'
import { testDeal, testOperation } from './test-operation.ts'
import { newestFirst, SortedList } from './sorted-list.ts'

type Deal = ReturnType<typeof testDeal>
const testOperations = (...list: Parameters<typeof testOperation>[0][]) =>
  operationsByRow(
    list.map((parts, index) => testOperation({ seq: index + 1, id: `o${index}`, ...parts })),
    'acme',
    'deals',
  )

test('a preview has the waiting operations applied in order; without operations it is the server row', () => {
  const deals = new Collection<Deal>()
  deals.write([testDeal()])
  deals.setOperations(testOperations({ values: { stage_id: 'won' } }, { values: { stage_id: 'lost' } }))
  expect(deals.get('deal-1')?.stage_id).toBe('lost')
  expect(deals.serverRow('deal-1')?.stage_id).toBe('incoming')
  expect(deals.isWaiting('deal-1')).toBe(true)
  deals.write([testDeal({ version: 4, name: 'Renamed', stage_id: 'proposal' })])
  expect(deals.get('deal-1')).toMatchObject({ stage_id: 'lost', name: 'Renamed' })
  deals.setOperations(new Map())
  expect(deals.get('deal-1')?.stage_id).toBe('proposal')
})

test('the preview of a call for a known row is not shown if the row is deleted meanwhile, because it has only some fields of a row', () => {
  const deals = new Collection<Deal>()
  const completeCall = { kind: 'call', values: {}, preview: { name: 'Completed' } } as const
  const list = new SortedList(
    () => deals.values(),
    newestFirst,
    () => true,
  )
  deals.index(list)
  deals.write([testDeal()])
  deals.setOperations(testOperations(completeCall))
  expect(list.rows.map(({ name }) => name)).toEqual(['Completed'])
  deals.write([], ['deal-1'])
  expect([deals.get('deal-1'), list.rows]).toEqual([undefined, []])
  deals.write([testDeal({ version: 5 })])
  deals.setOperations(new Map())
  expect(list.rows).toEqual([testDeal({ version: 5 })])
  deals.setOperations(testOperations({ kind: 'call', values: {}, rowId: 'new', preview: testDeal({ id: 'new' }) }))
  expect(deals.get('new')?.id).toBe('new')
})

test('a waiting delete hides the row, its undo shows the row as it was, and later edits change the row that the undo shows', () => {
  const deals = new Collection<Deal>()
  deals.write([testDeal()])
  const deleteOperation = { kind: 'delete', rowIds: ['deal-1'], preview: {} } as const
  const undoOperation = {
    kind: 'restore',
    rowIds: ['deal-1'],
    restored: { 'deal-1': testDeal({ name: 'As it was' }) },
  } as const
  deals.setOperations(testOperations(deleteOperation))
  expect(deals.get('deal-1')).toBeUndefined()
  deals.setOperations(testOperations(deleteOperation, undoOperation))
  expect(deals.get('deal-1')?.name).toBe('As it was')
  // The server has deleted the row and answered. The undo still waits.
  deals.write([], ['deal-1'])
  deals.setOperations(testOperations(undoOperation, { values: { stage_id: 'won' } }))
  expect(deals.get('deal-1')).toMatchObject({ name: 'As it was', stage_id: 'won' })
})

test('the preview does not include operations that were refused or are in conflict', () => {
  const deals = new Collection<Deal>()
  deals.write([testDeal()])
  deals.setOperations(
    testOperations({ values: { name: 'x' }, state: 'failed' }, { values: { name: 'y' }, state: 'conflict' }),
  )
  expect(deals.get('deal-1')?.name).toBe('Data migration')
})

test('an edit of a deleted row shows nothing, a new row is shown at once', () => {
  const deals = new Collection<Deal>()
  deals.setOperations(
    testOperations({ values: { name: 'x' } }, { rowId: 'deal-2', kind: 'insert', preview: testDeal({ id: 'deal-2' }) }),
  )
  expect([...deals.values()].map(({ id }) => id)).toEqual(['deal-2'])
})

test('an index gets a change before any listener', () => {
  const deals = new Collection<Deal>()
  const notified: string[] = []
  deals.subscribe(() => notified.push('screen'))
  deals.index({ apply: () => notified.push('index') })
  deals.write([testDeal()])
  expect(notified).toEqual(['index', 'screen'])
})

test('writing the row object that is already in memory, and deleting an unknown row, notify no listener', () => {
  const deals = new Collection<Deal>()
  const row = testDeal()
  deals.write([row])
  const listener = vi.fn()
  deals.subscribe(listener)
  deals.write([row], ['not-here'])
  expect(listener).not.toHaveBeenCalled()
})

test('rows that are read from the local database notify the listeners once, after all lists contain them', async () => {
  const deals = new Collection<Deal>()
  const [early, late] = [1, 2].map(
    () =>
      new SortedList<Deal>(
        () => deals.values(),
        newestFirst,
        () => true,
      ),
  )
  if (!early || !late) throw new Error('two lists')
  deals.index(early)
  deals.index(late)
  expect(early.rows).toEqual([])
  const shownCounts: number[] = []
  deals.subscribe(() => shownCounts.push(late.rows.length))
  deals.add([testDeal({ id: 'deal-1' }), testDeal({ id: 'deal-2' })])
  deals.add([testDeal({ id: 'deal-3', version: 9 })])
  expect(shownCounts).toEqual([])
  const readingEnd = deals.endReading(() => Promise.resolve())
  // While the lists are filled one by one, a change reaches both filled and unfilled lists.
  deals.write([testDeal({ id: 'deal-4' })], ['deal-2'])
  await readingEnd
  expect(shownCounts).toEqual([3, 3])
  for (const list of [early, late]) expect(list.rows.map(({ id }) => id)).toEqual(['deal-1', 'deal-3', 'deal-4'])
  // A row in memory is not replaced by an older version from the local database.
  deals.add([testDeal({ id: 'deal-3', version: 8, name: 'Earlier' })])
  expect(deals.get('deal-3')?.version).toBe(9)
})

test('a sorted list that applies random changes equals one that is sorted again', () => {
  const deals = new Collection<Deal>()
  const isIncoming = (deal: Deal) => deal.stage_id === 'incoming'
  const list = new SortedList<Deal>(() => deals.values(), newestFirst, isIncoming)
  deals.index(list)
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed % below
  }
  for (let round = 0; round < 300; round += 1) {
    const rows = Array.from({ length: random(6) }, () => {
      const created_at = `2026-11-${String(1 + random(9)).padStart(2, '0')}T09:00:00+00:00`
      return testDeal({
        id: `deal-${random(40)}`,
        created_at,
        stage_id: random(3) ? 'incoming' : 'won',
        version: round,
      })
    })
    const distinctRows = [...new Map(rows.map((row) => [row.id, row])).values()]
    deals.write(distinctRows, [`deal-${random(40)}`])
    expect(list.rows).toEqual([...deals.values()].filter(isIncoming).sort(newestFirst))
  }
  expect(list.rows.length).toBeGreaterThan(2)
  expect(list.rows.every((row, index) => list.indexOf(row) === index)).toBe(true)
})

test('a removed row is remembered as it was shown, until it is restored, 500 other rows are removed, or the brand is wiped', () => {
  const deals = new Collection<Deal>()
  const ids = Array.from({ length: 500 }, (_, index) => `other ${index}`)
  deals.write([testDeal(), ...ids.map((id) => testDeal({ id }))])
  deals.setOperations(testOperations({ values: { name: 'Edited' } }))
  expect(deals.removedRow('deal-1')).toBeUndefined()
  deals.write([], ['deal-1', 'unknown'])
  expect(deals.removedRow('deal-1')?.name).toBe('Edited')
  expect(deals.removedRow('unknown')).toBeUndefined()
  deals.write([], ids.slice(1))
  expect(deals.removedRow('deal-1')?.name).toBe('Edited')
  deals.write([], ids)
  expect(deals.removedRow('deal-1')).toBeUndefined()
  expect(deals.removedRow('other 0')?.id).toBe('other 0')
  deals.write([testDeal({ id: 'other 0', version: 5 })])
  expect(deals.removedRow('other 0')).toBeUndefined()
  deals.write([], ['other 0'])
  deals.forgetRemovedRows()
  expect(deals.removedRow('other 0')).toBeUndefined()
})
