import { expect, test } from 'vitest'
import type { Board, BoardColumn, DealCard } from '#web/data/deals.ts'
import type { RemoteMove } from '#web/data/remote-moves.ts'
import { noArrivals } from './arrivals.ts'
import { type BoardEvent, boardReducer, type BoardState, frozenBoard, untouchedBoard } from './board-state.ts'

const cardOf = (id: string) => ({ deal: { id } }) as DealCard

/** A column with these deals. '?' stands for a deal that is not on this device. */
function column(stageId: string, deals: string[]): BoardColumn {
  return {
    stage: { id: stageId, name: stageId } as BoardColumn['stage'],
    count: deals.length,
    totals: [],
    isCounting: false,
    at: (index) => (deals[index] && deals[index] !== '?' ? cardOf(deals[index]) : undefined),
    indexOf: (deal) => deals.indexOf(deal),
    want: () => {},
  }
}

const columns = [column('incoming', ['a', 'b', '?', 'd', 'e']), column('won', ['x', 'y'])]

const after = (...events: BoardEvent[]): BoardState => events.reduce(boardReducer, untouchedBoard)
const select = (dealId: string, isRange = false): BoardEvent => ({ type: 'card-selected', dealId, isRange, columns })

test("the editing of a card's name is ended only by that card, not by another one", () => {
  const naming = after({ type: 'naming-started', dealId: 'a' })
  expect(naming.naming).toBe('a')
  expect(boardReducer(naming, { type: 'naming-ended', dealId: 'b' })).toBe(naming)
  expect(boardReducer(naming, { type: 'naming-ended', dealId: 'a' }).naming).toBeNull()
})

test('a card is selected, and deselected when it is selected again', () => {
  expect([...after(select('a'), select('x')).selected]).toEqual(['a', 'x'])
  expect([...after(select('a'), select('x'), select('a')).selected]).toEqual(['x'])
})

test('a range consists of all cards on this device between the last selected card and this one', () => {
  expect([...after(select('b'), select('e', true)).selected]).toEqual(['b', 'd', 'e'])
  expect([...after(select('e'), select('b', true)).selected].sort()).toEqual(['b', 'd', 'e'])
})

test('the next range starts where the last one ended', () => {
  expect([...after(select('a'), select('b', true), select('e', true)).selected]).toEqual(['a', 'b', 'd', 'e'])
})

test('a range over two columns, or without a start, selects only the card itself', () => {
  expect([...after(select('a'), select('y', true)).selected]).toEqual(['a', 'y'])
  expect([...after(select('d', true)).selected]).toEqual(['d'])
})

test('clearing the selection clears the start of a range; without a selection nothing changes', () => {
  expect([...after(select('a'), { type: 'selection-cleared' }, select('d', true)).selected]).toEqual(['d'])
  expect(after({ type: 'selection-cleared' })).toBe(untouchedBoard)
})

test('the sheet stays open for a card until it is closed', () => {
  const card = cardOf('a')
  expect(after({ type: 'sheet-opened', card }).sheet).toBe(card)
  expect(after({ type: 'sheet-opened', card }, { type: 'sheet-closed' }).sheet).toBeNull()
})

test('the board does not change from the press until the drop', () => {
  const before = { columns } as unknown as Board
  const press: BoardEvent = { type: 'pressed', board: before }
  const lift: BoardEvent = {
    type: 'lifted',
    carried: { card: cardOf('a'), from: 'incoming', board: before, byKeyboard: false },
  }
  expect(frozenBoard(untouchedBoard)).toBeNull()
  expect(frozenBoard(after(press))).toBe(before)
  expect(frozenBoard(after(press, lift, { type: 'released' }))).toBe(before)
  expect(frozenBoard(after(press, lift, { type: 'released' }, { type: 'dropped' }))).toBeNull()
})

test('a card that was moved again keeps its last move when the highlight of the first move ends', () => {
  const first = { dealId: 'a', stageId: 'won' } as RemoteMove
  const second = { dealId: 'a', stageId: 'incoming' } as RemoteMove
  const arrived: BoardEvent[] = [
    { type: 'cards-arrived', moves: [first] },
    { type: 'cards-arrived', moves: [second] },
  ]
  const firstEnded = after(...arrived, { type: 'arrivals-ended', moves: [first] })
  expect([...firstEnded.arrivals.values()]).toEqual([second])
  expect(boardReducer(firstEnded, { type: 'arrivals-ended', moves: [second] }).arrivals).toBe(noArrivals)
})
