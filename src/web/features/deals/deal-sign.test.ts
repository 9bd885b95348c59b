import { expect, it } from 'vitest'
import { dealSign } from './deal-sign.ts'

const now = new Date('2026-11-23T12:00:00Z')
const deal = (since: string) => ({ id: 'a', stage_since: since })
const stage = (kind: 'open' | 'won', usual: number | null) => ({ kind, usual_days: usual })

it('the sign on a card says that a deal has been in its stage longer than usual', () => {
  expect(dealSign(deal('2026-11-09T09:00:00Z'), stage('open', 14), now, null)).toBeNull()
  expect(dealSign(deal('2026-11-08T09:00:00Z'), stage('open', 14), now, null)).toBe(
    'In this stage for 15 days, usually 14',
  )
  expect(dealSign(deal('2026-01-01T09:00:00Z'), stage('open', null), now, null)).toBeNull()
  expect(dealSign(deal('2026-01-01T09:00:00Z'), stage('won', 1), now, null)).toBeNull()
})

it('the sign on a card says that a deal has no next task, if the tasks are known', () => {
  expect(dealSign(deal('2026-11-23T09:00:00Z'), stage('open', 14), now, new Set())).toBe('No next task')
  expect(dealSign(deal('2026-11-23T09:00:00Z'), stage('open', 14), now, new Set(['a']))).toBeNull()
  expect(dealSign(deal('2026-11-01T09:00:00Z'), stage('open', 14), now, new Set())).toBe(
    'In this stage for 22 days, usually 14 · No next task',
  )
  expect(dealSign(deal('2026-11-01T09:00:00Z'), stage('won', 14), now, new Set())).toBeNull()
})

it('a card has no sign if an earlier version of the app stored the deal without the time it came into its stage', () => {
  expect(dealSign(deal(''), stage('open', 1), now, null)).toBeNull()
})
