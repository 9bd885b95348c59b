import { daysBetween, dueDate, formatDue, formatTime, hasTime, isOverdue } from '#web/lib/dates.ts'

export type DueGroup = 'Overdue' | 'Today' | 'Tomorrow' | 'This week' | 'Later' | 'No date'

/** The group of an open task by its due moment (ISO, or null) in local time; what is due on a day by that day. 'This week' is today and the next six days. */
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
 * '20 Nov, 09:00 (Overdue)'; in the groups 'Today' and 'Tomorrow' the time only, without a time 'Today' and 'Tomorrow'; otherwise 'Fri 27
 * Nov, 09:00'. Without a time the day alone.
 */
export function dueText(due: string, now: Date, group: DueGroup): string {
  if (group === 'Overdue') return `${formatDue(due, now)} (Overdue)`
  return hasTime(due) && (group === 'Today' || group === 'Tomorrow') ? formatTime(due) : formatDue(due, now)
}

/** When a task that stands in no group is due, with its day: 'Today, 15:00'. */
export function dueTextAlone(due: string, now: Date): string {
  return dueText(due, now, isOverdue(due, now) ? 'Overdue' : 'Later')
}
