import { expect, test } from 'vitest'
import { Rate, timeLeft } from './rate.ts'

test('the rate of an import is measured over the last five seconds', () => {
  const rate = new Rate()
  rate.mark(0, 0)
  expect(rate.perSecond()).toBe(0)
  expect(rate.secondsFor(100)).toBeNull()
  for (let second = 1; second <= 20; second += 1)
    rate.mark(second < 10 ? second * 100 : 900 + (second - 9) * 500, second * 1000)
  expect(rate.perSecond()).toBe(500)
  expect(rate.secondsFor(3500)).toBe(7)
})

test('the time left for an import is shown in words', () => {
  expect(timeLeft(1)).toBe('1 second left')
  expect(timeLeft(7)).toBe('7 seconds left')
  expect(timeLeft(60)).toBe('1 minute left')
  expect(timeLeft(125)).toBe('2 minutes left')
})
