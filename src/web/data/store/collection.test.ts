import { expect, test, vi } from 'vitest'
import { Collection } from './collection.ts'
import { byRow } from './overlay.ts'
import { testDeal, testOperation } from './test-operation.ts'
import { newestFirst, SortedList } from './sorted-list.ts'

type Deal = ReturnType<typeof testDeal>
const operations = (...list: Parameters<typeof testOperation>[0][]) =>
  byRow(
    list.map((parts, index) => testOperation({ seq: index + 1, id: `o${index}`, ...parts })),
    'acme',
    'deals',
  )

test('waiting changes lie over the server rows, in order, and go when they are taken back', () => {
  const deals = new Collection<Deal>()
  deals.write([testDeal()])
  deals.overlay(operations({ values: { stage_id: 'won' } }, { values: { stage_id: 'lost' } }))
  expect(deals.get('deal-1')?.stage_id).toBe('lost')
  expect(deals.onServer('deal-1')?.stage_id).toBe('incoming')
  expect(deals.isWaiting('deal-1')).toBe(true)
  deals.write([testDeal({ version: 4, name: 'Renamed', stage_id: 'proposal' })])
  expect(deals.get('deal-1')).toMatchObject({ stage_id: 'lost', name: 'Renamed' })
  deals.overlay(new Map())
  expect(deals.get('deal-1')?.stage_id).toBe('proposal')
})

test('a delete that waits hides the row, its undo shows it as it was, and edits lie over that', () => {
  const deals = new Collection<Deal>()
  deals.write([testDeal()])
  const gone = { kind: 'delete', rowIds: ['deal-1'], preview: {} } as const
  const back = { kind: 'restore', rowIds: ['deal-1'], restored: { 'deal-1': testDeal({ name: 'As it was' }) } } as const
  deals.overlay(operations(gone))
  expect(deals.get('deal-1')).toBeUndefined()
  deals.overlay(operations(gone, back))
  expect(deals.get('deal-1')?.name).toBe('As it was')
  // The delete was answered: the server has no row, the undo still waits.
  deals.write([], ['deal-1'])
  deals.overlay(operations(back, { values: { stage_id: 'won' } }))
  expect(deals.get('deal-1')).toMatchObject({ name: 'As it was', stage_id: 'won' })
})

test('what was refused or is in question shows nothing', () => {
  const deals = new Collection<Deal>()
  deals.write([testDeal()])
  deals.overlay(operations({ values: { name: 'x' }, state: 'failed' }, { values: { name: 'y' }, state: 'conflict' }))
  expect(deals.get('deal-1')?.name).toBe('Data migration')
})

test('an edit of a row that is gone shows nothing, a new row shows at once', () => {
  const deals = new Collection<Deal>()
  deals.overlay(
    operations({ values: { name: 'x' } }, { rowId: 'deal-2', kind: 'insert', preview: testDeal({ id: 'deal-2' }) }),
  )
  expect([...deals.values()].map(({ id }) => id)).toEqual(['deal-2'])
})

test('an index hears of a change before any screen does', () => {
  const deals = new Collection<Deal>()
  const order: string[] = []
  deals.subscribe(() => order.push('screen'))
  deals.index(() => order.push('index'))
  deals.write([testDeal()])
  expect(order).toEqual(['index', 'screen'])
})

test('writing what is there already tells nobody', () => {
  const deals = new Collection<Deal>()
  const row = testDeal()
  deals.write([row])
  const heard = vi.fn()
  deals.subscribe(heard)
  deals.write([row], ['not-here'])
  expect(heard).not.toHaveBeenCalled()
})

test('a sorted list kept in step equals one sorted anew, over random changes', () => {
  const deals = new Collection<Deal>()
  const belongs = (deal: Deal) => deal.stage_id === 'incoming'
  const list = new SortedList<Deal>(newestFirst, belongs)
  deals.index((changes) => list.apply(changes))
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
    const unique = [...new Map(rows.map((row) => [row.id, row])).values()]
    deals.write(unique, [`deal-${random(40)}`])
    expect(list.rows).toEqual([...deals.values()].filter(belongs).sort(newestFirst))
  }
  expect(list.rows.length).toBeGreaterThan(2)
  expect(list.rows.every((row, index) => list.indexOf(row) === index)).toBe(true)
})
