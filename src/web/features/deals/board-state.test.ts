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
    query: { table: 'deals' as const },
  }
}

const columns = [column('incoming', ['a', 'b', '?', 'd', 'e']), column('won', ['x', 'y'])]

const stateAfter = (...events: BoardEvent[]): BoardState => events.reduce(boardReducer, untouchedBoard)
const selectEvent = (dealId: string, isRange = false): BoardEvent => ({
  type: 'card-selected',
  dealId,
  isRange,
  columns,
})

test("the editing of a card's name is ended only by that card, not by another one", () => {
  const namingState = stateAfter({ type: 'naming-started', dealId: 'a' })
  expect(namingState.naming).toBe('a')
  expect(boardReducer(namingState, { type: 'naming-ended', dealId: 'b' })).toBe(namingState)
  expect(boardReducer(namingState, { type: 'naming-ended', dealId: 'a' }).naming).toBeNull()
})

test('a card is selected, and deselected when it is selected again', () => {
  expect([...stateAfter(selectEvent('a'), selectEvent('x')).selected]).toEqual(['a', 'x'])
  expect([...stateAfter(selectEvent('a'), selectEvent('x'), selectEvent('a')).selected]).toEqual(['x'])
})

test('a range consists of all cards on this device between the last selected card and this one', () => {
  expect([...stateAfter(selectEvent('b'), selectEvent('e', true)).selected]).toEqual(['b', 'd', 'e'])
  expect([...stateAfter(selectEvent('e'), selectEvent('b', true)).selected].sort()).toEqual(['b', 'd', 'e'])
})

test('the next selected range starts at the card where the last range ended', () => {
  // The range from 'x' to 'a' is over two columns, so it selects only 'a'. The next range starts there.
  const { selected } = stateAfter(selectEvent('x'), selectEvent('a', true), selectEvent('e', true))
  expect([...selected]).toEqual(['x', 'a', 'b', 'd', 'e'])
})

test('a range over two columns, or without a start, selects only the card itself', () => {
  expect([...stateAfter(selectEvent('a'), selectEvent('y', true)).selected]).toEqual(['a', 'y'])
  expect([...stateAfter(selectEvent('d', true)).selected]).toEqual(['d'])
})

test('clearing the selection clears the start of a range; without a selection nothing changes', () => {
  expect([...stateAfter(selectEvent('a'), { type: 'selection-cleared' }, selectEvent('d', true)).selected]).toEqual([
    'd',
  ])
  expect(stateAfter({ type: 'selection-cleared' })).toBe(untouchedBoard)
})

test('the sheet stays open for a card until it is closed', () => {
  const card = cardOf('a')
  expect(stateAfter({ type: 'sheet-opened', card }).sheet).toBe(card)
  expect(stateAfter({ type: 'sheet-opened', card }, { type: 'sheet-closed' }).sheet).toBeNull()
})

test('the board does not change from the press until the drop', () => {
  const boardBefore = { columns } as unknown as Board
  const press: BoardEvent = { type: 'pressed', board: boardBefore }
  const lift: BoardEvent = {
    type: 'lifted',
    carried: { card: cardOf('a'), from: 'incoming', board: boardBefore, byKeyboard: false },
  }
  expect(frozenBoard(untouchedBoard)).toBeNull()
  expect(frozenBoard(stateAfter(press))).toBe(boardBefore)
  expect(frozenBoard(stateAfter(press, lift, { type: 'released' }))).toBe(boardBefore)
  expect(frozenBoard(stateAfter(press, lift, { type: 'released' }, { type: 'dropped' }))).toBeNull()
})

test('a card that was moved again keeps its last move when the highlight of the first move ends', () => {
  const firstMove = { dealId: 'a', stageId: 'won' } as RemoteMove
  const secondMove = { dealId: 'a', stageId: 'incoming' } as RemoteMove
  const arrived: BoardEvent[] = [
    { type: 'cards-arrived', moves: [firstMove] },
    { type: 'cards-arrived', moves: [secondMove] },
  ]
  const firstEnded = stateAfter(...arrived, { type: 'arrivals-ended', moves: [firstMove] })
  expect([...firstEnded.arrivals.values()]).toEqual([secondMove])
  expect(boardReducer(firstEnded, { type: 'arrivals-ended', moves: [secondMove] }).arrivals).toBe(noArrivals)
})
