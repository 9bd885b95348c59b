import { RecordLink } from '#web/crm/record-link.tsx'
import type { Person } from '#web/data/people/people.ts'
import type { Task } from '#web/data/server/rows.ts'
import { cx } from '#web/lib/class-names.ts'
import { isOverdue } from '#web/lib/dates.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { RoundCheckbox } from '#web/ui/checkbox.tsx'
import { cardLineClasses } from '#web/ui/card-line.ts'
import { dueTextUngrouped } from './due-group.ts'
import { RepeatSign } from './repeat-sign.tsx'

/**
 * An open task on the overview: checkbox, title, due date, assignee. A click on the line opens the task's panel. A ticked task is struck through.
 */
export function DueTask({
  task,
  now,
  done,
  assignee,
  onToggle,
}: {
  task: Task
  now: Date
  done: boolean
  /** Null if the task has no assignee, or if only one person's tasks are shown. */
  assignee: Person | null
  onToggle: () => void
}) {
  const overdue = !done && isOverdue(task.due_at, now)
  return (
    <li
      className={cx(
        cardLineClasses,
        'flex h-10 items-center gap-2.5 border-b border-line last:border-0 max-sm:h-auto max-sm:min-h-14 max-sm:gap-3 max-sm:py-1.5',
      )}
    >
      <RoundCheckbox
        checked={done}
        onChange={onToggle}
        label={done ? `Reopen ${task.title}` : `Complete ${task.title}`}
        className="z-1"
      />
      <span className="flex min-w-0 flex-1 items-center gap-2.5 max-sm:flex-col max-sm:items-start max-sm:gap-0">
        <RecordLink
          table="tasks"
          id={task.id}
          title={task.title}
          className={cx(
            'min-w-0 flex-1 truncate rounded-badge after:absolute after:inset-0 max-sm:whitespace-normal max-sm:wrap-anywhere',
            done && 'text-ink3 line-through',
          )}
        >
          {task.title}
        </RecordLink>
        <span className={cx('num shrink-0 max-sm:text-13/4.5', overdue ? 'font-medium text-danger' : 'text-ink2')}>
          {task.due_at && dueTextUngrouped(task.due_at, now)}
        </span>
      </span>
      <RepeatSign repeats={task.repeats} />
      {assignee && (
        <span title={assignee.name} className="relative z-1 flex shrink-0">
          <Avatar name={assignee.name} size={20} label={`Assigned to ${assignee.name}`} />
        </span>
      )}
    </li>
  )
}
