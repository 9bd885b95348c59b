import type { TaskEntry } from '#web/data/tasks.ts'
import { daysBetween, formatDay } from '#web/lib/dates.ts'
import { useNow } from '#web/lib/use-now.ts'
import { TaskCheck } from '#web/ui/checkbox.tsx'
import { toggleTask } from './toggle-task.ts'

/** The tasks completed last, newest first; unticking one reopens it. */
export function CompletedTasks({ entries }: { entries: readonly TaskEntry[] }) {
  const now = useNow()
  return (
    <ul>
      {entries.map(({ task }) => (
        <li
          key={task.id}
          className="flex h-10 items-center gap-3 border-b border-line px-4 last:border-0 hover:bg-hover max-sm:h-13"
        >
          <TaskCheck checked onChange={() => void toggleTask(task.id, 'open')} label={`Reopen ${task.title}`} />
          <span title={task.title} className="min-w-0 flex-1 truncate text-ink3 line-through">
            {task.title}
          </span>
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
