import { PriorityBadge } from '#web/crm/priority-badge.tsx'
import { RecordLink } from '#web/crm/record-link.tsx'
import type { Person } from '#web/data/people/people.ts'
import type { TaskEntry } from '#web/data/tasks.ts'
import { cx } from '#web/lib/class-names.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { RoundCheckbox } from '#web/ui/checkbox.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type DueGroup, dueText } from './due-group.ts'
import { PostponeButtons } from './postpone-buttons.tsx'
import { RepeatSign } from './repeat-sign.tsx'
import { TaskRelations } from './task-relations.tsx'

interface TaskRowProps {
  entry: TaskEntry
  group: DueGroup
  now: Date
  /** The assignee; null if there is none, or if the brand has only one member. */
  assignee: Person | null
  /** Whether the task's panel is open. */
  current: boolean
  done: boolean
  collapsing: boolean
  onToggle: () => void
  onPostpone: (days: number) => void
}

/**
 * An open task: checkbox, title (opens its panel), related contact and deal, priority, assignee, due date; under the pointer and on focus
 * also buttons that postpone it. After a tick the task stays for a moment, struck through. In a narrow list, the due date, contact and deal
 * are text on a second line, and the priority 'Normal' is only for screen readers.
 */
export function TaskRow(props: TaskRowProps) {
  const { entry, group, now, assignee, current, done, collapsing, onToggle, onPostpone } = props
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
        <div
          data-task={task.id}
          className={cx(
            'group relative grid min-h-10 grid-cols-[auto_minmax(0,1fr)_auto] content-center items-center border-b border-line px-[var(--row-inset,1rem)] py-2 max-sm:min-h-16 max-sm:py-2.5',
            current ? 'bg-accent-soft' : 'hover:bg-hover has-focus-visible:bg-hover',
          )}
        >
          <RoundCheckbox
            checked={done}
            onChange={onToggle}
            label={done ? `Reopen ${task.title}` : `Complete ${task.title}`}
            className="z-1 col-start-1 row-span-2 row-start-1 mr-3 max-sm:mr-4"
          />
          <p className="col-start-2 row-start-1 flex">
            <RecordLink
              table="tasks"
              id={task.id}
              focusId={`task-${task.id}`}
              title={task.title}
              aria-current={current || undefined}
              className={cx(
                'truncate rounded-badge font-medium after:absolute after:inset-0 max-sm:line-clamp-2 max-sm:whitespace-normal max-sm:wrap-anywhere max-sm:text-16/6',
                done && 'text-ink3 line-through',
              )}
            >
              {task.title}
            </RecordLink>
          </p>
          <TaskRelations entry={entry} className="col-start-2 row-start-2 mt-1 @max-[40rem]:hidden" />
          {(due || task.contact_id || task.deal_id) && (
            <p className="num col-start-2 -col-end-1 row-start-2 mt-0.5 min-h-lh truncate text-ink2 @min-[40rem]:hidden max-sm:text-13/5">
              {due && <span className={overdue ? 'font-medium text-danger' : undefined}>{due}</span>}
              {due && (contactName || dealName) && ' · '}
              {[contactName, dealName].filter(Boolean).join(' · ')}
            </p>
          )}
          <div className="relative col-start-3 row-start-1 flex items-center gap-3 bg-inherit pl-3 max-sm:self-start @min-[40rem]:row-span-2 @min-[40rem]:self-stretch">
            {!done && <PostponeButtons task={task} now={now} onPostpone={onPostpone} />}
            <RepeatSign repeats={task.repeats} wordsClass="@max-[40rem]:sr-only" />
            <span className={cx('flex', task.priority === 'normal' && '@max-[40rem]:sr-only')}>
              <PriorityBadge priority={task.priority} />
            </span>
            {assignee && (
              <span title={assignee.name} className="relative z-1 flex shrink-0">
                <Avatar name={assignee.name} size={20} label={`Assigned to ${assignee.name}`} />
              </span>
            )}
            <p
              className={cx(
                'num w-44 shrink-0 text-right @max-[40rem]:hidden',
                overdue ? 'font-medium text-danger' : 'text-ink2',
              )}
            >
              {due}
            </p>
          </div>
        </div>
      </div>
    </div>
  )
}

export function PlaceholderTask() {
  return (
    <div aria-hidden="true" className="flex h-14 items-center gap-3 border-b border-line px-[var(--row-inset,1rem)]">
      <Skeleton className="size-4.5 rounded-full" />
      <Skeleton className="h-3.5 w-56" />
      <Skeleton className="ml-auto h-3.5 w-24" />
    </div>
  )
}
