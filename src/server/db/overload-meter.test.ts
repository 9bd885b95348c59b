import { expect, test } from 'vitest'
import { OverloadMeter } from './overload-meter.ts'

function judged(meter: OverloadMeter, waits: readonly number[]): boolean {
  for (const wait of waits) meter.note(wait)
  meter.judge()
  return meter.isOverloaded
}

const times = (count: number, wait: number) => Array.from({ length: count }, () => wait)

test('is overloaded when most requests start late, and recovered when they start soon again', () => {
  const meter = new OverloadMeter()
  expect(judged(meter, times(40, 20))).toBe(false)
  expect(judged(meter, [...times(15, 10), ...times(25, 200)])).toBe(true)
  expect(judged(meter, times(40, 100))).toBe(true)
  expect(judged(meter, times(40, 10))).toBe(false)
})

test('a lock is no overload: few requests start late, or the others start at once', () => {
  const meter = new OverloadMeter()
  expect(judged(meter, times(4, 3_000))).toBe(false)
  expect(judged(meter, [...times(10, 3_000), ...times(30, 1)])).toBe(false)
})

test('an interval without a start ends the overload', () => {
  const meter = new OverloadMeter()
  expect(judged(meter, times(20, 400))).toBe(true)
  expect(judged(meter, [])).toBe(false)
})

test('judge tells whether the state has changed', () => {
  const meter = new OverloadMeter()
  for (const wait of times(20, 400)) meter.note(wait)
  expect([meter.judge(), meter.judge(), meter.judge()]).toEqual([true, true, false])
})
