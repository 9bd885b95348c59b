import { daysBetween, formatDay, formatMoment, formatTime, isoToLocal } from './dates.ts'
import { describeDate } from './typed-date.ts'

const minuteMs = 60_000

/**
 * Formats how long ago a moment was: 'Just now', '5 min ago', '3 h ago' if it was today, 'Yesterday, 15:00', otherwise '7 Dec'. A moment more
 * than a minute in the future: 'Today, 15:00', '7 Dec, 15:00'.
 */
export function relativeTime(value: string, now: Date = new Date()): string {
  const minutes = Math.floor((now.getTime() - Date.parse(value)) / minuteMs)
  const days = daysBetween(new Date(value), now)
  if (minutes < -1) return formatMoment(value, now)
  if (minutes < 1) return 'Just now'
  if (minutes < 60) return `${minutes} min ago`
  if (days === 0) return `${Math.floor(minutes / 60)} h ago`
  return days === 1 ? `Yesterday, ${formatTime(value)}` : formatDay(value, now)
}

/** Formats a moment with weekday, date and time, in local time: 'Mon 30 Nov 2026, 15:00'. */
export function fullMoment(value: string): string {
  const [day = '', time = null] = isoToLocal(value).split('T')
  return day && describeDate({ day, time })
}
