import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RemoteMove } from '#web/data/remote-moves.ts'
import { MoveTeller } from './move-teller.ts'

const move = (dealId: string, stageId = 'won'): RemoteMove => ({
  dealId,
  dealName: dealId,
  fromStageId: 'incoming',
  stageId,
  stageName: stageId,
  mover: null,
})

let said: string[]
let teller: MoveTeller

beforeEach(() => {
  vi.useFakeTimers()
  said = []
  teller = new MoveTeller((moves, away) => {
    said.push(`${away ? 'away ' : ''}${moves.map(({ dealId, stageId }) => `${dealId}>${stageId}`).join(' ')}`)
  })
})
afterEach(() => void vi.useRealTimers())

test('the first is told at once, what follows summed up, one sentence in five seconds', () => {
  for (let i = 0; i < 200; i++) {
    teller.add([move(`d${i % 3}`, i > 190 ? 'lost' : 'won')], false)
    vi.advanceTimersByTime(50)
  }
  vi.advanceTimersByTime(20_000)
  expect(said).toEqual(['d0>won', 'd1>won d2>won d0>won', 'd1>lost d2>lost d0>lost'])
})

test('after a pause the next is told at once again', () => {
  teller.add([move('a')], false)
  vi.advanceTimersByTime(6_000)
  teller.add([move('b')], false)
  expect(said).toEqual(['a>won', 'b>won'])
})

test('the news of an absence come in pieces and are one sentence', () => {
  teller.add([move('a'), move('b')], true)
  vi.advanceTimersByTime(500)
  teller.add([move('c')], true)
  vi.advanceTimersByTime(2_000)
  expect(said).toEqual(['away a>won b>won c>won'])
})

test('what is untold when the board goes is never told', () => {
  teller.add([move('a')], false)
  teller.add([move('b')], false)
  teller.add([move('c')], true)
  teller.stop()
  vi.advanceTimersByTime(20_000)
  expect(said).toEqual(['a>won'])
})
