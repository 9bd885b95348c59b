import { expect, test } from 'vitest'
import type { BoardColumn } from '#web/data/deals.ts'
import { firstDockedIndex, type FoldChoices, foldedStages } from './folded-stages.ts'

function column(id: string, count: number): BoardColumn {
  const kind = id === 'won' || id === 'lost' ? id : 'open'
  const stage = { id, name: id, kind } as BoardColumn['stage']
  return {
    stage,
    count,
    totals: [],
    isCounting: false,
    at: () => undefined,
    want: () => {},
    indexOf: () => -1,
    query: { table: 'deals' },
  }
}

const columns = [column('incoming', 3), column('proposal', 0), column('won', 2), column('lost', 0)]
const noChoices: FoldChoices = {}

function foldedIds(change: Partial<Parameters<typeof foldedStages>[0]>): string[] {
  return [...foldedStages({ columns, isTight: true, choices: noChoices, inSearch: null, uncovered: null, ...change })]
}

test('won and lost stages are folded at first if the columns do not fit', () => {
  expect(foldedIds({})).toEqual(['won', 'lost'])
  expect(foldedIds({ isTight: false })).toEqual([])
})

test('a column that a person has folded or unfolded stays so at any width', () => {
  const choices = { won: false, incoming: true }
  expect(foldedIds({ choices })).toEqual(['incoming', 'lost'])
  expect(foldedIds({ choices, isTight: false })).toEqual(['incoming'])
})

test('a search folds columns without a result and unfolds the others, whatever was chosen before; a choice during the search counts', () => {
  expect(foldedIds({ inSearch: noChoices })).toEqual(['proposal', 'lost'])
  expect(foldedIds({ inSearch: noChoices, choices: { incoming: true, lost: false } })).toEqual(['proposal', 'lost'])
  expect(foldedIds({ inSearch: { incoming: true, proposal: false } })).toEqual(['incoming', 'lost'])
})

test('a search without any result folds and unfolds no column', () => {
  const emptyColumns = columns.map(({ stage }) => column(stage.id, 0))
  expect(foldedIds({ columns: emptyColumns, inSearch: noChoices })).toEqual(['won', 'lost'])
  expect(foldedIds({ columns: emptyColumns, inSearch: noChoices, isTight: false })).toEqual([])
})

test('the stage of a revealed card is not folded', () => {
  expect(foldedIds({ uncovered: 'won' })).toEqual(['lost'])
  expect(foldedIds({ uncovered: 'lost', choices: { lost: true } })).toEqual(['won'])
})

test('the folded columns at the end are docked, those between others are not', () => {
  expect(firstDockedIndex(columns, new Set(['won', 'lost']))).toBe(2)
  expect(firstDockedIndex(columns, new Set(['incoming', 'lost']))).toBe(3)
  expect(firstDockedIndex(columns, new Set(['won']))).toBe(4)
  expect(firstDockedIndex(columns, new Set(columns.map(({ stage }) => stage.id)))).toBe(0)
})
