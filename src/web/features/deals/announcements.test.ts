import type { Active, Over } from '@dnd-kit/core'
import { expect, test } from 'vitest'
import { dragAnnouncements, endOfBoardAnnouncement, moveAnnouncement } from './announcements.ts'

const announcements = dragAnnouncements({
  deal: (id) => (id === 'd1' ? 'Acme renewal' : null),
  stage: (id) => ({ s1: 'Qualified', s2: 'Proposal' })[id] ?? null,
  stageOf: (id) => (id === 'd1' ? 's1' : null),
})
const active = { id: 'd1' } as Active
const overStage = (id: string) => ({ id }) as Over

test('lifting a card announces its name and stage', () => {
  expect(announcements.onDragStart({ active })).toBe('Lifted Acme renewal from Qualified')
})

test('each stage under a dragged card is announced; its own stage only after the card has left it', () => {
  announcements.onDragStart({ active })
  expect(announcements.onDragOver({ active, over: overStage('s1') })).toBeUndefined()
  expect(announcements.onDragOver({ active, over: overStage('s2') })).toBe('Over Proposal')
  expect(announcements.onDragOver({ active, over: overStage('s1') })).toBe('Over Qualified')
  expect(announcements.onDragOver({ active, over: null })).toBe('Not over a stage')
})

test('dropping a card announces the stage, or that nothing changed', () => {
  expect(announcements.onDragEnd({ active, over: overStage('s2') })).toBe('Dropped in Proposal')
  expect(announcements.onDragEnd({ active, over: overStage('s1') })).toBe('Acme renewal stays in Qualified')
  expect(announcements.onDragEnd({ active, over: null })).toBe('Acme renewal was put back')
})

test('cancelling a move with Escape announces that the card is back', () => {
  expect(announcements.onDragCancel({ active, over: overStage('s2') })).toBe('Cancelled. Acme renewal was put back')
})

test('a deal that was deleted meanwhile is announced without its name', () => {
  expect(announcements.onDragStart({ active: { id: 'gone' } as Active })).toBe('Lifted The deal')
})

test('a move with Shift and an arrow key is announced, and also that there is no further stage', () => {
  expect(moveAnnouncement('Acme renewal', 'Proposal')).toBe('Moved Acme renewal to Proposal')
  expect(endOfBoardAnnouncement('Acme renewal', 1)).toBe('Acme renewal is already in the last stage')
  expect(endOfBoardAnnouncement('Acme renewal', -1)).toBe('Acme renewal is already in the first stage')
})
