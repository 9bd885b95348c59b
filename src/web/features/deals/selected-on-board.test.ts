import { expect, test } from 'vitest'
import { openLoneTab, putRows } from '#tests/harness/lone-tab.ts'
import { columnQuery } from '#web/data/ask-board.ts'
import { selectedOnBoard } from './selected-on-board.ts'

/** Opens a tab of a device that knows the places of only some deals, and returns its data and the columns of its board. */
async function openBoard(places: readonly string[], search = '') {
  const { data } = await openLoneTab({ windowed: ['deals'] })
  const columns = ['first', 'second'].map((stageId) => ({
    query: columnQuery(stageId, search, 'ana'),
    indexOf: (id: string) => places.indexOf(id),
  }))
  const deal = { owner_id: 'ana', stage_id: 'first', name: 'Depot' }
  putRows(
    data,
    'deals',
    { ...deal, id: 'a' },
    { ...deal, id: 'x', stage_id: 'second' },
    { ...deal, id: 'wall', name: 'Wall' },
  )
  return { data, columns }
}

test('selected deals without a card on the board are left out: a search or a filter hides them, or they were deleted', async () => {
  const { data, columns } = await openBoard(['a', 'x'], 'depot')
  const selected = selectedOnBoard(data, 'x wall a deleted', columns)
  expect(selected.read()).toEqual(['x', 'a'])
  data.tables.deals.write([], ['x'])
  expect(selected.read()).toEqual(['a'])
  data.tables.deals.write([], ['a'])
  expect(selected.read()).toEqual([])
})

test('selected deals stay selected if they are so far down in a column that this device does not know their places', async () => {
  const { data, columns } = await openBoard([])
  const selected = selectedOnBoard(data, 'x a', columns)
  expect(selected.read()).toEqual(['x', 'a'])
  putRows(data, 'deals', { id: 'x', owner_id: 'ana', stage_id: 'third', name: 'Depot', version: 2 })
  expect(selected.read()).toEqual(['a'])
  putRows(data, 'deals', { id: 'a', owner_id: 'ben', stage_id: 'first', name: 'Depot', version: 2 })
  expect(selected.read()).toEqual([])
})

test('a deal that the server has found by a name that is not on this device stays selected', async () => {
  const { data, columns } = await openBoard(['wall'], 'copperline')
  expect(selectedOnBoard(data, 'a wall', columns).read()).toEqual(['wall'])
})
