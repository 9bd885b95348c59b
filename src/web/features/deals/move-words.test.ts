import { expect, test } from 'vitest'
import type { RemoteMove } from '#web/data/remote-moves.ts'
import { moveWords } from './move-words.ts'

const moveOf = (deal: string, mover: string | null, stage = 'Won'): RemoteMove => ({
  dealId: deal,
  dealName: deal,
  fromStageId: 'Incoming',
  stageId: stage,
  stageName: stage,
  mover: mover === null ? null : { userId: mover, name: `${mover} Petersen`, shortName: mover },
})

test('the sentence about one move names the person, the deal and the stage', () => {
  expect(moveWords([moveOf('Acme renewal', 'Ana')], false)).toBe('Ana moved Acme renewal to Won')
  expect(moveWords([moveOf('Acme renewal', null)], false)).toBe('Acme renewal moved to Won')
})

test('several moves become one sentence, with the stage if it is the same', () => {
  expect(moveWords([moveOf('A', 'Ana'), moveOf('B', 'Ana')], false)).toBe('Ana moved 2 deals to Won')
  expect(moveWords([moveOf('A', 'Ana'), moveOf('B', 'Bo', 'Lost')], false)).toBe('Ana and Bo moved 2 deals')
  const movesOfThreePeople = [moveOf('A', 'Ana'), moveOf('B', 'Bo'), moveOf('C', 'Cy'), moveOf('D', 'Cy')]
  expect(moveWords(movesOfThreePeople, false)).toBe('Ana and 2 others moved 4 deals to Won')
})

test('no person is named if one of them is unknown', () => {
  expect(moveWords([moveOf('A', 'Ana'), moveOf('B', null)], false)).toBe('2 deals moved to Won')
})

test('moves that happened while the page was hidden become one sentence without names', () => {
  expect(moveWords([moveOf('A', 'Ana')], true)).toBe('A moved to Won while you were away')
  expect(moveWords([moveOf('A', 'Ana'), moveOf('B', 'Bo', 'Lost')], true)).toBe('2 deals moved while you were away')
})
