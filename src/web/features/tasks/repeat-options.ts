import type { Task } from '#web/data/server/rows.ts'
import { hasTime } from '#web/lib/dates.ts'
import { firstDue, readRepeats, repeatsText, repeatsWords, waysToRepeat } from '#web/lib/series.ts'
import type { SelectOption } from '#web/ui/select.tsx'

/** The option for a task that does not come again. */
export const never = 'never'

/**
 * How a task can come again: weekly and monthly on the day on which it is due. The way in which it does is among them also where it has
 * another day (the task was put off), with its time zone where its hour is another one here.
 */
export function repeatOptions({ due_at, repeats }: Pick<Task, 'due_at' | 'repeats'>): SelectOption<string>[] {
  const present = readRepeats(repeats)
  const ways = waysToRepeat(due_at).map((way) => {
    const isPresent = way.every === present?.every && way.day === present.day
    return isPresent ? { ...present, isElsewhere: present.zone !== way.zone } : { ...way, isElsewhere: false }
  })
  const others =
    present && !ways.some((way) => repeatsText(way) === repeats) ? [{ ...present, isElsewhere: false }] : []
  const options = [...ways, ...others].map(({ isElsewhere, ...way }) => ({
    value: repeatsText(way),
    label: repeatsWords(way, true),
    ...(isElsewhere && due_at && hasTime(due_at) && { hint: `Time in ${placeOf(way.zone)}` }),
  }))
  return [{ value: never, label: 'Never' }, ...options]
}

/** The edit that makes a task come again so, or never. One without a due date becomes due on the first day of the series. */
export function repeatEdit(
  { due_at }: Pick<Task, 'due_at'>,
  chosen: string,
): Partial<Pick<Task, 'due_at' | 'repeats'>> {
  const way = chosen === never ? null : readRepeats(chosen)
  return { repeats: way ? chosen : null, ...(way && due_at === null && { due_at: firstDue(way) }) }
}

/** 'America/New_York' -> 'New York'. */
function placeOf(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
}
