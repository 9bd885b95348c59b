import type { TaskEntry } from '#web/data/tasks.ts'
import { cx } from '#web/lib/class-names.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { PriorityBadge, RelationBadge } from '#web/ui/badge.tsx'
import { TaskCheck } from '#web/ui/checkbox.tsx'
import { DealIcon } from '#web/ui/icons.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type DueGroup, dueText } from './due-group.ts'

interface TaskRowProps {
  entry: TaskEntry
  group: DueGroup
  now: Date
  done: boolean
  collapsing: boolean
  onToggle: () => void
}

/** An open task: check, title, related contact and deal, priority, due date. Ticked, it stays a moment, struck through. */
export function TaskRow({ entry, group, now, done, collapsing, onToggle }: TaskRowProps) {
  const { task, contactName, dealName } = entry
  const due = task.due_at && dueText(task.due_at, now, group)
  const overdue = group === 'Overdue' && !done
  return (
    <div
      className={cx(
        'grid transition-[grid-template-rows,opacity] duration-[180ms]',
        collapsing ? 'grid-rows-[0fr] opacity-0' : 'grid-rows-[1fr]',
      )}
    >
      <div className="overflow-hidden">
        <div className="flex min-h-10 items-center gap-3 border-b border-line px-4 py-2 hover:bg-hover max-sm:items-start max-sm:gap-4 max-sm:py-3">
          <TaskCheck
            checked={done}
            onChange={onToggle}
            label={done ? `Reopen ${task.title}` : `Complete ${task.title}`}
            className="max-sm:mt-1"
          />
          <div className="min-w-0 flex-1">
            <p title={task.title} className={cx('truncate max-sm:text-[16px]/6', done && 'text-ink3 line-through')}>
              {task.title}
            </p>
            {(contactName || dealName) && (
              <div className="mt-1 flex min-w-0 flex-wrap gap-1.5 max-sm:hidden">
                {contactName && (
                  <RelationBadge leading={<Avatar name={contactName} size={20} />}>{contactName}</RelationBadge>
                )}
                {dealName && <RelationBadge leading={<DealIcon className="size-3.5" />}>{dealName}</RelationBadge>}
              </div>
            )}
            <p className="num mt-0.5 truncate text-ink2 empty:hidden sm:hidden">
              {due && <span className={overdue ? 'font-medium text-danger' : undefined}>{due}</span>}
              {due && (contactName || dealName) && ' · '}
              {[contactName, dealName].filter(Boolean).join(' · ')}
            </p>
          </div>
          <PriorityBadge priority={task.priority} />
          <p
            className={cx(
              'num w-36 shrink-0 text-right max-sm:hidden',
              overdue ? 'font-medium text-danger' : 'text-ink2',
            )}
          >
            {due}
          </p>
        </div>
      </div>
    </div>
  )
}

export function PlaceholderTask() {
  return (
    <div aria-hidden="true" className="flex h-14 items-center gap-3 border-b border-line px-4">
      <Skeleton className="size-[18px] rounded-full" />
      <Skeleton className="h-3.5 w-56" />
      <Skeleton className="ml-auto h-3.5 w-24" />
    </div>
  )
}
