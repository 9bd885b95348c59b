import { expect, test } from 'vitest'
import { firstDue, readRepeats } from '#web/lib/series.ts'
import { neverRepeats, repeatEdit } from './repeat-options.ts'
import { taskSchema, emptyTask } from './task-schema.ts'

const firstDayOf = (repeats: string, now: string) => {
  const repetition = readRepeats(repeats)
  if (!repetition) throw new Error(`cannot read ${repeats}`)
  return firstDue(repetition, new Date(now)).slice(0, 10)
}

test('the first day of a series is today if it matches, otherwise the next matching day', () => {
  // A Saturday.
  const now = '2031-03-01T12:00:00Z'
  expect(firstDayOf('daily UTC', now)).toBe('2031-03-01')
  expect(firstDayOf('workdays UTC', now)).toBe('2031-03-03')
  expect(firstDayOf('weekly 6 UTC', now)).toBe('2031-03-01')
  expect(firstDayOf('weekly 5 UTC', now)).toBe('2031-03-07')
  expect(firstDayOf('monthly 1 UTC', now)).toBe('2031-03-01')
  expect(firstDayOf('monthly 31 UTC', now)).toBe('2031-03-31')
  // The last day of a shorter month. 'Today' is in the time zone of the series.
  expect(firstDayOf('monthly 31 UTC', '2031-02-10T12:00:00Z')).toBe('2031-02-28')
  expect(firstDayOf('daily Pacific/Auckland', now)).toBe('2031-03-02')
  // A time zone that this device does not know.
  expect(firstDayOf('daily Nowhere/Land', now)).toMatch(/^2031-0[23]-/)
})

test('a task without a due date gets one with its repetition; an existing due date stays', () => {
  expect(repeatEdit({ due_at: null }, 'daily UTC')).toEqual({
    repeats: 'daily UTC',
    due_at: firstDue({ every: 'daily', day: null, zone: 'UTC' }),
  })
  expect(repeatEdit({ due_at: '2031-03-03T16:00:00Z' }, 'daily UTC')).toEqual({ repeats: 'daily UTC' })
  expect(repeatEdit({ due_at: null }, neverRepeats)).toEqual({ repeats: null })
})

test('the form refuses a repetition without a due date, with the error at the date', () => {
  const task = { ...emptyTask, title: 'Send the figures' }
  const refused = taskSchema.safeParse({ ...task, repeats: 'weekly' })
  expect(refused.error?.issues).toMatchObject([{ path: ['due'], message: 'A task that repeats needs a due date' }])
  expect(taskSchema.safeParse(task).data).toMatchObject({ due_at: null, repeats: null })
})
