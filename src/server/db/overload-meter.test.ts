import { expect, test } from 'vitest'
import { OverloadMeter } from './overload-meter.ts'

let now = 0

/** Records the waits of an interval of `durationMs` and judges them at its end. Returns whether the meter then reports an overload. */
function isOverloadedAfter(meter: OverloadMeter, waits: readonly number[], durationMs = 250): boolean {
  now += durationMs
  for (const wait of waits) meter.recordWait(wait)
  meter.judge(now)
  return meter.isOverloaded
}

const equalWaits = (count: number, wait: number) => Array.from({ length: count }, () => wait)

test('the meter reports an overload when most requests start late, and its end when most requests start quickly', () => {
  const meter = new OverloadMeter()
  expect(isOverloadedAfter(meter, equalWaits(40, 20))).toBe(false)
  expect(isOverloadedAfter(meter, [...equalWaits(15, 10), ...equalWaits(25, 200)])).toBe(true)
  expect(isOverloadedAfter(meter, equalWaits(40, 100))).toBe(true)
  expect(isOverloadedAfter(meter, equalWaits(40, 10))).toBe(false)
})

test('a lock does not count as overload: few requests start late, or the others start at once', () => {
  const meter = new OverloadMeter()
  expect(isOverloadedAfter(meter, equalWaits(4, 3_000))).toBe(false)
  expect(isOverloadedAfter(meter, [...equalWaits(10, 3_000), ...equalWaits(30, 1)])).toBe(false)
})

test('the overload ends after an interval in which no request starts', () => {
  const meter = new OverloadMeter()
  expect(isOverloadedAfter(meter, equalWaits(20, 400))).toBe(true)
  expect(isOverloadedAfter(meter, [])).toBe(false)
})

test('many starts are judged before the interval ends, but a few late starts because of one lock are not', () => {
  const meter = new OverloadMeter()
  expect(isOverloadedAfter(meter, [], 250)).toBe(false)
  expect(isOverloadedAfter(meter, equalWaits(10, 3_000), 50)).toBe(false)
  expect(isOverloadedAfter(meter, equalWaits(13, 1), 50)).toBe(false)
  expect(isOverloadedAfter(meter, equalWaits(20, 1), 50)).toBe(false)
  expect(isOverloadedAfter(meter, equalWaits(30, 400), 50)).toBe(true)
})

test('judge returns whether an overload has begun or ended', () => {
  const meter = new OverloadMeter()
  for (const wait of equalWaits(20, 400)) meter.recordWait(wait)
  expect([meter.judge(1_000), meter.judge(1_250), meter.judge(1_500)]).toEqual([true, true, false])
})
