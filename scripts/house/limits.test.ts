import { expect, it } from 'vitest'
import { faults } from './limits.ts'

const figure = (value: number | null) => [{ name: 'casts', value, places: ['a.ts:1', 'b.ts:2'] }]

it('says what is over its limit, and where', () => {
  expect(faults(figure(2), { casts: 2 })).toEqual([])
  expect(faults(figure(2), { casts: 1 })).toEqual(['casts: 2, allowed are 1.', '  a.ts:1', '  b.ts:2'])
})

it('takes no figure that cannot be counted, and no limit of nothing', () => {
  expect(faults(figure(null), { casts: 1 })).toEqual(['casts: cannot be counted any more.'])
  expect(faults(figure(1), { tests: 1 })).toEqual([`No figure is called 'tests'.`])
})
