import { expect, it } from 'vitest'
import { stageCount } from './stage-count.ts'

it('says how many deals a column has, and while they are being counted that there may be more', () => {
  expect(stageCount({ count: 1284, isCounting: false })).toBe('1,284')
  expect(stageCount({ count: 30, isCounting: true })).toBe('30+')
  expect(stageCount({ count: 0, isCounting: true })).toBe('…')
  expect(stageCount({ count: 0, isCounting: false })).toBe('0')
})
