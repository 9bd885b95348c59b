import { daysBetween, dueDate, formatDue, formatTime, hasTime, isOverdue } from '#web/lib/dates.ts'

export type DueGroup = 'Overdue' | 'Today' | 'Tomorrow' | 'This week' | 'Later' | 'No date'

/**
 * Returns the group of an open task by its due date and time (ISO, or null), in local time. A task without a time is grouped by its day.
 * 'This week' ends six days after today.
 */
export function dueGroup(due: string | null, now: Date): DueGroup {
  const date = dueDate(due)
  if (!date) return 'No date'
  if (isOverdue(due, now)) return 'Overdue'
  const days = daysBetween(now, date)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Tomorrow'
  return days < 7 ? 'This week' : 'Later'
}

/**
 * Returns when a task of a group is due, as text. Overdue: '20 Nov, 09:00 (Overdue)'. Today and Tomorrow: only the time, or 'Today' and
 * 'Tomorrow' if the task has no time. Other groups: 'Fri 27 Nov, 09:00' ('24 Dec, 09:00' from two weeks on), or only the day if the task has no time.
 */
export function dueText(due: string, now: Date, group: DueGroup): string {
  if (group === 'Overdue') return `${formatDue(due, now)} (Overdue)`
  return hasTime(due) && (group === 'Today' || group === 'Tomorrow') ? formatTime(due) : formatDue(due, now)
}

/** Returns when a task in a list without groups is due, with the day: 'Today, 15:00', '20 Nov, 09:00 (Overdue)'. */
export function dueTextUngrouped(due: string, now: Date): string {
  return dueText(due, now, isOverdue(due, now) ? 'Overdue' : 'Later')
}
