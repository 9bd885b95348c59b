import type { Task } from '#web/data/server/rows.ts'
import { cx } from '#web/lib/class-names.ts'
import { daysFromToday, formatDue } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { postponements, daysUntilTomorrow } from './postpone.ts'

interface PostponeProps {
  task: Task
  now: Date
  onPostpone: (days: number) => void
}

/**
 * The buttons 'Tomorrow' and 'Next week' in a task's row, visible under the pointer and while the row has the keyboard focus. They are on the
 * line of the title, so that they do not cover the links to contact and deal on the second line. On touch screens and on the phone, only the
 * task's panel has these buttons.
 */
export function PostponeButtons({ task, now, onPostpone }: PostponeProps) {
  const hasSecondLine = task.contact_id !== null || task.deal_id !== null
  return (
    <span
      className={cx(
        'absolute right-full z-2 flex gap-1 bg-inherit pl-3 opacity-0 group-has-focus-visible:opacity-100 group-hover:opacity-100 max-sm:hidden pointer-coarse:hidden @max-[40rem]:right-0',
        hasSecondLine && '@min-[40rem]:-top-1',
      )}
    >
      {postponements(task, now).map((days) => (
        <Button
          key={days}
          data-postpone={days}
          onClick={() => onPostpone(days)}
          aria-label={`Postpone ${task.title} to ${days === daysUntilTomorrow ? 'tomorrow' : 'next week'}`}
          title={formatDue(daysFromToday(days, task.due_at, now), now)}
          className="h-7! px-2.5!"
        >
          {days === daysUntilTomorrow ? 'Tomorrow' : 'Next week'}
        </Button>
      ))}
    </span>
  )
}
