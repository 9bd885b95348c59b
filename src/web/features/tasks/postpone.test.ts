import { afterEach, expect, test, vi } from 'vitest'
import { daysFromToday, localToIso } from '#web/lib/dates.ts'
import { daysUntilNextWeek, daysUntilTomorrow, postponements } from './postpone.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

test("the day on which a task is due is not offered, also if the due date is in the server's format", () => {
  const now = new Date(2026, 5, 1, 8)
  const tomorrow = daysFromToday(daysUntilTomorrow, null, now)
  expect(postponements({ due_at: null }, now)).toEqual([daysUntilTomorrow, daysUntilNextWeek])
  expect(postponements({ due_at: tomorrow }, now)).toEqual([daysUntilNextWeek])
  expect(postponements({ due_at: tomorrow.replace('.000Z', '+00:00') }, now)).toEqual([daysUntilNextWeek])
})

test('the day on which a task is due is not offered, also if a colleague in another time zone has set it', () => {
  const now = new Date('2026-06-01T12:00:00Z')
  for (const zone of ['Asia/Tokyo', 'America/New_York']) {
    vi.stubEnv('TZ', zone)
    const [tomorrow, nextWeek] = ['2026-06-02', '2026-06-08'].map(localToIso)
    vi.stubEnv('TZ', 'Europe/London')
    expect(postponements({ due_at: tomorrow ?? null }, now)).toEqual([daysUntilNextWeek])
    expect(postponements({ due_at: nextWeek ?? null }, now)).toEqual([daysUntilTomorrow])
  }
})
