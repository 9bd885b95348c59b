import { expect, it } from 'vitest'
import { stageCount } from './stage-count.ts'

it('the count of a column says how many deals it has, and that there may be more while they are being counted', () => {
  expect(stageCount({ count: 1284, isCounting: false })).toBe('1,284')
  expect(stageCount({ count: 30, isCounting: true })).toBe('30+')
  expect(stageCount({ count: 0, isCounting: true })).toBe('…')
  expect(stageCount({ count: 0, isCounting: false })).toBe('0')
})
