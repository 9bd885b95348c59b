import { useDevice } from '#web/data/browser/device.ts'
import { RecordLink } from '#web/crm/record-link.tsx'
import type { TaskEntry } from '#web/data/tasks.ts'
import { cx } from '#web/lib/class-names.ts'
import { daysBetween, formatDay } from '#web/lib/dates.ts'
import { useNow } from '#web/lib/use-now.ts'
import { RoundCheckbox } from '#web/ui/checkbox.tsx'
import { toggleTask } from './toggle-task.ts'

/** The last completed tasks, newest first. Unticking a task reopens it; the title opens its panel. */
export function CompletedTasks({ entries, currentId }: { entries: readonly TaskEntry[]; currentId: string | null }) {
  const device = useDevice()
  const now = useNow()
  return (
    <ul>
      {entries.map(({ task }) => (
        <li
          key={task.id}
          className={cx(
            'relative flex h-10 items-center gap-3 border-b border-line px-[var(--row-inset,1rem)] last:border-0 max-sm:h-13',
            task.id === currentId ? 'bg-accent-soft' : 'hover:bg-hover',
          )}
        >
          <RoundCheckbox
            checked
            onChange={() => void toggleTask(device, task.id, 'open')}
            label={`Reopen ${task.title}`}
            className="z-1"
          />
          <p className="flex min-w-0 flex-1">
            <RecordLink
              table="tasks"
              id={task.id}
              focusId={`task-${task.id}`}
              title={task.title}
              aria-current={task.id === currentId || undefined}
              className="truncate rounded-badge text-ink3 line-through outline-offset-0 after:absolute after:inset-0"
            >
              {task.title}
            </RecordLink>
          </p>
          <span className="num shrink-0 text-ink2">{completedDay(task.completed_at, now)}</span>
        </li>
      ))}
    </ul>
  )
}

function completedDay(completedAt: string | null, now: Date): string {
  if (!completedAt) return 'Today'
  return daysBetween(new Date(completedAt), now) === 0 ? 'Today' : formatDay(completedAt, now)
}
