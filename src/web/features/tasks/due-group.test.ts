import { expect, test } from 'vitest'
import { dueGroup, dueText, dueTextUngrouped } from './due-group.ts'

const now = new Date(2026, 10, 21, 9, 30)
const isoAt = (day: number, hour = 12, minute = 0) => new Date(2026, 10, day, hour, minute).toISOString()

test.each([
  [null, 'No date'],
  [isoAt(20), 'Overdue'],
  [isoAt(21, 9, 29), 'Overdue'],
  [isoAt(21, 9, 31), 'Today'],
  [isoAt(21, 23, 59), 'Today'],
  [isoAt(22, 0, 0), 'Tomorrow'],
  [isoAt(23, 0, 0), 'This week'],
  [isoAt(27, 23, 59), 'This week'],
  [isoAt(28, 0, 0), 'Later'],
] as const)('the due date %j is in the group %s', (due, group) => {
  expect(dueGroup(due, now)).toBe(group)
})

test("spec 2: /crm/tasks: An overdue date is red and marked '(Overdue)'. (the words)", () => {
  expect(dueText(isoAt(20, 9), now, 'Overdue')).toBe('20 Nov, 09:00 (Overdue)')
  expect(dueText(isoAt(21, 8), now, 'Overdue')).toBe('Today, 08:00 (Overdue)')
  expect(dueTextUngrouped(isoAt(20, 9), now)).toBe('20 Nov, 09:00 (Overdue)')
})

test("a due date in the groups 'Today' and 'Tomorrow' shows only the time; in other groups, and where tasks are not grouped, also the day", () => {
  expect(dueText(isoAt(21, 15), now, 'Today')).toBe('15:00')
  expect(dueText(isoAt(22, 9), now, 'Tomorrow')).toBe('09:00')
  expect(dueText(isoAt(27, 12), now, 'This week')).toBe('Fri 27 Nov, 12:00')
  expect(dueTextUngrouped(isoAt(21, 15), now)).toBe('Today, 15:00')
  expect(dueTextUngrouped(isoAt(22, 9), now)).toBe('Tomorrow, 09:00')
})

test('a task without a time is due until the end of its day', () => {
  const endOf = (day: number) => new Date(2026, 10, day, 23, 59, 59, 999).toISOString()
  expect([20, 21, 22, 23, 28].map((day) => dueGroup(endOf(day), now))).toEqual([
    'Overdue',
    'Today',
    'Tomorrow',
    'This week',
    'Later',
  ])
  expect(dueText(endOf(20), now, 'Overdue')).toBe('20 Nov (Overdue)')
  expect(dueText(endOf(21), now, 'Today')).toBe('Today')
  expect(dueText(endOf(22), now, 'Tomorrow')).toBe('Tomorrow')
  expect(dueTextUngrouped(endOf(21), now)).toBe('Today')
})
