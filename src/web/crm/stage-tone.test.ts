import { expect, test } from 'vitest'
import { stageTone } from './stage-tone.ts'

test('a stage takes its colour from a word in its name', () => {
  expect(['Incoming', 'qualified lead', 'PROPOSAL', 'Verbal', 'They said yes', 'Won', 'Lost'].map(stageTone)).toEqual([
    'incoming',
    'qualified',
    'proposal',
    'verbal',
    'verbal',
    'won',
    'lost',
  ])
})

test('a stage whose name has no known word is neutral', () => {
  expect(stageTone('Discovery')).toBe('neutral')
})
