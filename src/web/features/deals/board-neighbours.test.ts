import { expect, test } from 'vitest'
import type { BoardColumn } from '#web/data/deals.ts'
import { findCard, neighbourOf, stageBeside } from './board-neighbours.ts'

function column(id: string, deals: string[]): BoardColumn {
  return {
    stage: { id, name: id } as BoardColumn['stage'],
    count: deals.length,
    totals: [],
    isCounting: false,
    at: () => undefined,
    want: () => {},
    indexOf: (deal) => deals.indexOf(deal),
    query: { table: 'deals' },
  }
}

const columns = [column('incoming', ['a', 'b', 'c']), column('qualified', []), column('proposal', ['d', 'e'])]
const noList = () => null
const listAt = (scrollOffset: number) => ({
  scrollOffset,
  getItemOffset: (index: number) => index * 96,
  findItemIndex: (offset: number) => Math.round(offset / 96),
  scrollToIndex: () => {},
})
const scrolledListOf = (id: string) => listAt(id === 'a' ? 960 : 0)

test('findCard returns the index of the column and of the card; null if the card is not on the board', () => {
  expect(findCard(columns, 'e')).toEqual({ column: 2, index: 1 })
  expect(findCard(columns, 'z')).toBeNull()
})

test('the up and down arrow keys stay in the column and stop at its ends; Home and End move to its ends', () => {
  expect(neighbourOf(columns, { column: 0, index: 1 }, 'ArrowUp', noList)).toEqual({ column: 0, index: 0 })
  expect(neighbourOf(columns, { column: 0, index: 0 }, 'ArrowUp', noList)).toBeNull()
  expect(neighbourOf(columns, { column: 0, index: 1 }, 'ArrowDown', noList)).toEqual({ column: 0, index: 2 })
  expect(neighbourOf(columns, { column: 0, index: 2 }, 'ArrowDown', noList)).toBeNull()
  expect(neighbourOf(columns, { column: 0, index: 2 }, 'Home', noList)).toEqual({ column: 0, index: 0 })
  expect(neighbourOf(columns, { column: 0, index: 0 }, 'End', noList)).toEqual({ column: 0, index: 2 })
})

test('the left and right arrow keys skip empty columns and stop at the last column with cards', () => {
  expect(neighbourOf(columns, { column: 0, index: 2 }, 'ArrowRight', noList)).toEqual({ column: 2, index: 1 })
  expect(neighbourOf(columns, { column: 2, index: 0 }, 'ArrowLeft', noList)).toEqual({ column: 0, index: 0 })
  expect(neighbourOf(columns, { column: 2, index: 0 }, 'ArrowRight', noList)).toBeNull()
})

test('the right arrow key moves to the card at the same height, also if the columns are scrolled differently', () => {
  const longColumn = column(
    'a',
    Array.from({ length: 50 }, (_, index) => `a${index}`),
  )
  const otherColumn = column(
    'b',
    Array.from({ length: 50 }, (_, index) => `b${index}`),
  )
  expect(neighbourOf([longColumn, otherColumn], { column: 0, index: 12 }, 'ArrowRight', scrolledListOf)).toEqual({
    column: 1,
    index: 2,
  })
})

test('the left arrow key moves from a folded column, which has no list, to the first visible card', () => {
  const longColumn = column(
    'a',
    Array.from({ length: 50 }, (_, index) => `a${index}`),
  )
  const listOf = (id: string) => (id === 'a' ? listAt(960) : null)
  expect(neighbourOf([longColumn, columns[0]!], { column: 1, index: 0 }, 'ArrowLeft', listOf)).toEqual({
    column: 0,
    index: 10,
  })
})

test('there is no stage beyond the ends of the board', () => {
  const stages = [{ id: 's1' }, { id: 's2' }]
  expect(stageBeside(stages, 's1', 1)).toEqual({ id: 's2' })
  expect(stageBeside(stages, 's1', -1)).toBeNull()
  expect(stageBeside(stages, 's2', 1)).toBeNull()
  expect(stageBeside(stages, 'gone', 1)).toBeNull()
})
