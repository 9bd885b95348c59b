import { useDevice } from '#web/data/browser/device.ts'
import type { ReactNode } from 'react'
import { PriorityBadge } from '#web/crm/priority-badge.tsx'
import { RecordLink } from '#web/crm/record-link.tsx'
import type { RelatedList } from '#web/data/query/related-list.ts'
import type { TaskEntry } from '#web/data/tasks.ts'
import { cx } from '#web/lib/class-names.ts'
import { formatDay, formatDue, isOverdue } from '#web/lib/dates.ts'
import { useNow } from '#web/lib/use-now.ts'
import { RoundCheckbox } from '#web/ui/checkbox.tsx'
import { PanelRows, PanelSection } from '#web/ui/panel-parts.tsx'
import { RepeatSign } from './repeat-sign.tsx'
import { toggleTask } from './toggle-task.ts'

/**
 * The tasks of a contact, company or deal in its panel, each with a checkbox and a link. A task takes one line if its text fits, otherwise two.
 */
export function RelatedTasks({ list, action }: { list: RelatedList<TaskEntry>; action?: ReactNode }) {
  const device = useDevice()
  const now = useNow()
  if (!list.ready) return null
  return (
    <PanelSection title="Tasks" aside={action}>
      {list.entries.length === 0 ? (
        <p className="text-ink3">No tasks yet</p>
      ) : (
        <PanelRows>
          {list.entries.map(({ task }) => {
            const done = task.status === 'done'
            const overdue = !done && isOverdue(task.due_at, now)
            return (
              <div
                key={task.id}
                className="relative isolate flex min-h-9 items-center gap-2.5 py-1.5 before:absolute before:inset-0 before:-z-1 hover:before:bg-hover max-sm:min-h-14 max-sm:gap-3 max-sm:px-4 sm:before:-inset-x-2 sm:before:rounded-badge"
              >
                <RoundCheckbox
                  checked={done}
                  onChange={() => void toggleTask(device, task.id, done ? 'open' : 'done')}
                  label={done ? `Reopen ${task.title}` : `Complete ${task.title}`}
                  className="z-1"
                />
                <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-2.5 max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto]">
                  <RecordLink
                    table="tasks"
                    id={task.id}
                    title={task.title}
                    className={cx(
                      'max-w-full truncate after:absolute after:inset-0 max-sm:font-medium',
                      done && 'text-ink3 line-through',
                    )}
                  >
                    {task.title}
                  </RecordLink>
                  <span className="flex items-center gap-2.5 max-sm:contents">
                    {!done && <RepeatSign repeats={task.repeats} />}
                    {!done && (
                      <span className={cx('flex', task.priority === 'normal' && 'sr-only')}>
                        <PriorityBadge priority={task.priority} />
                      </span>
                    )}
                    <span
                      className={cx(
                        'num max-sm:col-start-1 max-sm:row-start-2 max-sm:text-13/4.5',
                        overdue ? 'font-medium text-danger' : 'text-ink2',
                      )}
                    >
                      {done ? `Done ${formatDay(task.completed_at, now)}` : task.due_at && formatDue(task.due_at, now)}
                      {overdue && ' (Overdue)'}
                    </span>
                  </span>
                </div>
              </div>
            )
          })}
        </PanelRows>
      )}
    </PanelSection>
  )
}
