import { expect, test } from 'vitest'
import { daysFromToday } from '#web/lib/dates.ts'
import { daysUntilNextWeek, daysUntilTomorrow, postponements } from './postpone.ts'

test('the day on which a task is due is not offered, also if the server has written the time', () => {
  const now = new Date(2026, 5, 1, 8)
  const tomorrow = daysFromToday(daysUntilTomorrow, null, now)
  expect(postponements({ due_at: null }, now)).toEqual([daysUntilTomorrow, daysUntilNextWeek])
  expect(postponements({ due_at: tomorrow }, now)).toEqual([daysUntilNextWeek])
  expect(postponements({ due_at: tomorrow.replace('.000Z', '+00:00') }, now)).toEqual([daysUntilNextWeek])
})
