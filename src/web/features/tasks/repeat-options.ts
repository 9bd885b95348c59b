import type { Task } from '#web/data/server/rows.ts'
import { hasTime } from '#web/lib/dates.ts'
import { firstDue, readRepeats, repeatsText, repeatsWords, possibleRepetitions } from '#web/lib/series.ts'
import type { SelectOption } from '#web/ui/select.tsx'

/** The option for a task that does not repeat. */
export const neverRepeats = 'never'

/**
 * Returns the options for how a task repeats: never, each day, each workday, and weekly and monthly on its due day. The current repetition
 * is included even if it has a different day (because the task was postponed). If the task has a time in another time zone than the device's,
 * the current repetition names the city of that zone.
 */
export function repeatOptions({ due_at, repeats }: Pick<Task, 'due_at' | 'repeats'>): SelectOption<string>[] {
  const current = readRepeats(repeats)
  const possible = possibleRepetitions(due_at).map((repetition) => {
    const isCurrent = repetition.every === current?.every && repetition.day === current.day
    return isCurrent
      ? { ...current, isElsewhere: current.zone !== repetition.zone }
      : { ...repetition, isElsewhere: false }
  })
  const currentWithOtherDay =
    current && !possible.some((repetition) => repeatsText(repetition) === repeats)
      ? [{ ...current, isElsewhere: false }]
      : []
  const options = [...possible, ...currentWithOtherDay].map(({ isElsewhere, ...repetition }) => ({
    value: repeatsText(repetition),
    label: repeatsWords(repetition, true),
    ...(isElsewhere && due_at && hasTime(due_at) && { hint: `Time in ${cityOf(repetition.zone)}` }),
  }))
  return [{ value: neverRepeats, label: 'Never' }, ...options]
}

/**
 * Returns the edit that gives a task the chosen repetition (the value of an option), or none. A task without a due date becomes due on the first day
 * of the series.
 */
export function repeatEdit(
  { due_at }: Pick<Task, 'due_at'>,
  chosen: string,
): Partial<Pick<Task, 'due_at' | 'repeats'>> {
  const repetition = chosen === neverRepeats ? null : readRepeats(chosen)
  return { repeats: repetition ? chosen : null, ...(repetition && due_at === null && { due_at: firstDue(repetition) }) }
}

/** Returns the city of a time zone: 'New York' for 'America/New_York'. */
function cityOf(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
}
