import { localToIso } from '#web/lib/dates.ts'
import { readTypedDate } from '#web/lib/typed-date.ts'

/** Returns a typed time as ISO; a day means its noon. Null for an empty text: a new note gets the current time, an edited one keeps its time. */
export function momentOf(when: string): string | null {
  const read = readTypedDate(when, { withTime: true })
  if (!read || !('day' in read)) return null
  return localToIso(`${read.day}T${read.time ?? '12:00'}`)
}
