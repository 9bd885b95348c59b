import { useDevice } from '#web/data/browser/device.ts'
import { Link } from '@tanstack/react-router'
import { type TaskEntry, useOpenTasks } from '#web/data/tasks.ts'
import { cx } from '#web/lib/class-names.ts'
import { isOverdue } from '#web/lib/dates.ts'
import { useNow } from '#web/lib/use-now.ts'
import { Card } from '#web/ui/card.tsx'
import { RoundCheckbox } from '#web/ui/checkbox.tsx'
import { Skeleton, useSkeleton } from '#web/ui/skeleton.tsx'
import { dueTextAlone } from './due-group.ts'
import { toggleTask } from './toggle-task.ts'
import { useLingering } from './use-lingering.ts'

const shown = 11

/** The tasks that are due next, on the overview; a ticked one stays for a moment. */
export function TasksDue({ className }: { className?: string }) {
  const device = useDevice()
  const now = useNow()
  const list = useOpenTasks()
  const tasks = useLingering(list)
  const phase = useSkeleton(list.ready)
  const places = Array.from({ length: Math.min(shown, tasks.total) }, (_, index) => index)
  const toggle = (entry: TaskEntry, index: number, done: boolean) => {
    if (done) tasks.release(entry.task.id)
    else tasks.linger(entry, index)
    void toggleTask(device, entry.task.id, done ? 'open' : 'done')
  }
  return (
    <Card aria-label="Tasks due" className={cx('p-5 pb-3 max-sm:p-4', className)}>
      <div className="mb-1 flex items-baseline justify-between">
        <h2 className="text-[14px]/5">Tasks due</h2>
        <Link
          to="/crm/tasks"
          className="rounded-badge text-accent-text hover:underline max-sm:relative max-sm:z-1 max-sm:-mx-2 max-sm:-my-3 max-sm:px-2 max-sm:py-3"
        >
          All tasks
        </Link>
      </div>
      {phase !== 'content' && <Waiting shown={phase === 'skeleton'} />}
      {phase === 'content' && tasks.total === 0 && <p className="py-3 text-ink3">No open tasks</p>}
      <ul>
        {phase === 'content' &&
          places.map((index) => {
            const { entry, done } = tasks.at(index)
            if (!entry) return null
            const { task } = entry
            const overdue = !done && isOverdue(task.due_at, now)
            return (
              <li
                key={task.id}
                className="relative flex h-10 items-center gap-2.5 border-b border-line last:border-0 max-sm:h-auto max-sm:min-h-14 max-sm:gap-3 max-sm:py-1.5"
              >
                <RoundCheckbox
                  checked={done}
                  onChange={() => toggle(entry, index, done)}
                  label={done ? `Reopen ${task.title}` : `Complete ${task.title}`}
                />
                <span className="flex min-w-0 flex-1 items-center gap-2.5 max-sm:flex-col max-sm:items-start max-sm:gap-0">
                  <span
                    title={task.title}
                    className={cx(
                      'min-w-0 flex-1 truncate max-sm:whitespace-normal max-sm:wrap-anywhere',
                      done && 'text-ink3 line-through',
                    )}
                  >
                    {task.title}
                  </span>
                  <span
                    className={cx(
                      'num shrink-0 max-sm:text-[13px]/[18px]',
                      overdue ? 'font-medium text-danger' : 'text-ink2',
                    )}
                  >
                    {task.due_at && dueTextAlone(task.due_at, now)}
                  </span>
                </span>
              </li>
            )
          })}
      </ul>
    </Card>
  )
}

function Waiting({ shown: visible }: { shown: boolean }) {
  return (
    <div className={visible ? undefined : 'invisible'}>
      {[0, 1, 2, 3, 4].map((place) => (
        <div key={place} className="flex h-10 items-center gap-3 max-sm:h-14">
          <Skeleton className="size-[18px] rounded-full" />
          <Skeleton className="h-3.5 w-40" />
          <Skeleton className="ml-auto h-3.5 w-20" />
        </div>
      ))}
    </div>
  )
}
