import { expect, test } from 'vitest'
import { selectedOnBoard } from './selected-on-board.ts'

test('selected deals without a card on the board are left out: a search hides them, or they were deleted', () => {
  const columns = [['a', 'b'], ['x']].map((deals) => ({ indexOf: (id: string) => deals.indexOf(id) }))
  expect(selectedOnBoard(new Set(['x', 'hidden', 'a']), columns)).toEqual(['x', 'a'])
  expect(selectedOnBoard(new Set(['hidden']), columns)).toEqual([])
})
