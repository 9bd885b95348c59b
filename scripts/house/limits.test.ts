import { expect, it } from 'vitest'
import { limitFaults } from './limits.ts'

const castFigures = (value: number | null) => [{ name: 'casts', value, places: ['a.ts:1', 'b.ts:2'] }]

it('the report lists each figure over its limit, with its places in the code', () => {
  expect(limitFaults(castFigures(2), { casts: 2 })).toEqual([])
  expect(limitFaults(castFigures(2), { casts: 1 })).toEqual(['casts: 2, the limit is 1.', '  a.ts:1', '  b.ts:2'])
})

it('the report names figures that cannot be counted, and limits without a figure', () => {
  expect(limitFaults(castFigures(null), { casts: 1 })).toEqual(['casts: cannot be counted any more.'])
  expect(limitFaults(castFigures(1), { tests: 1 })).toEqual([`No figure is called 'tests'.`])
})
