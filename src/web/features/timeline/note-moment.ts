import { localToIso } from '#web/lib/dates.ts'
import { readTypedDate } from '#web/lib/typed-date.ts'

/**
 * Returns a typed time as ISO; a day means its noon. Null for a text that is empty or is not a date: then a new note gets the current time, and an
 * edited note keeps its time.
 */
export function momentOf(when: string): string | null {
  const typedDate = readTypedDate(when, { withTime: true })
  if (!typedDate || !('day' in typedDate)) return null
  return localToIso(`${typedDate.day}T${typedDate.time ?? '12:00'}`)
}
