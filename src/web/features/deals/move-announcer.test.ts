import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RemoteMove } from '#web/data/remote-moves.ts'
import { MoveAnnouncer } from './move-announcer.ts'

const moveOf = (dealId: string, stageId = 'won'): RemoteMove => ({
  dealId,
  dealName: dealId,
  fromStageId: 'incoming',
  stageId,
  stageName: stageId,
  mover: null,
})

let announced: string[]
let announcer: MoveAnnouncer

beforeEach(() => {
  vi.useFakeTimers()
  announced = []
  announcer = new MoveAnnouncer((moves, away) => {
    announced.push(`${away ? 'away ' : ''}${moves.map(({ dealId, stageId }) => `${dealId}>${stageId}`).join(' ')}`)
  })
})
afterEach(() => void vi.useRealTimers())

test('the first move of a colleague is announced at once, and the next ones together, one sentence every five seconds', () => {
  for (let i = 0; i < 200; i++) {
    announcer.add([moveOf(`d${i % 3}`, i > 190 ? 'lost' : 'won')], false)
    vi.advanceTimersByTime(50)
  }
  vi.advanceTimersByTime(20_000)
  expect(announced).toEqual(['d0>won', 'd1>won d2>won d0>won', 'd1>lost d2>lost d0>lost'])
})

test('the next move of a colleague is announced at once again after a pause', () => {
  announcer.add([moveOf('a')], false)
  vi.advanceTimersByTime(6_000)
  announcer.add([moveOf('b')], false)
  expect(announced).toEqual(['a>won', 'b>won'])
})

test('moves that happened while the page was hidden arrive in parts and become one sentence', () => {
  announcer.add([moveOf('a'), moveOf('b')], true)
  vi.advanceTimersByTime(500)
  announcer.add([moveOf('c')], true)
  vi.advanceTimersByTime(2_000)
  expect(announced).toEqual(['away a>won b>won c>won'])
})

test('moves that arrive while the page is hidden are announced with those that follow when it is visible again', async () => {
  const documentStub = Object.assign(new EventTarget(), { visibilityState: 'hidden' })
  vi.stubGlobal('document', documentStub)
  announcer.add([moveOf('a')], true)
  vi.advanceTimersByTime(5_000)
  expect(announced).toEqual([])
  documentStub.visibilityState = 'visible'
  documentStub.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(500)
  announcer.add([moveOf('b')], true)
  vi.advanceTimersByTime(2_000)
  expect(announced).toEqual(['away a>won b>won'])
  vi.unstubAllGlobals()
})

test('moves that are not announced yet when the board is closed are never announced', () => {
  announcer.add([moveOf('a')], false)
  announcer.add([moveOf('b')], false)
  announcer.add([moveOf('c')], true)
  announcer.stop()
  vi.advanceTimersByTime(20_000)
  expect(announced).toEqual(['a>won'])
})
