import { RecordLink } from '#web/crm/record-link.tsx'
import type { TaskEntry } from '#web/data/tasks.ts'
import { cx } from '#web/lib/class-names.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { OutlineBadge } from '#web/ui/badge.tsx'
import { HandshakeIcon } from '#web/ui/icons.tsx'

const linkClasses = 'relative z-1 flex min-w-0 rounded-badge hover:[&>span]:bg-active hover:[&>span]:text-ink'

/**
 * The contact and the deal of a task as badges with links. Renders nothing if the task has neither. The line keeps its space until the
 * names are known.
 */
export function TaskRelations({ entry, className }: { entry: TaskEntry; className?: string }) {
  const { task, contactName, dealName } = entry
  if (!task.contact_id && !task.deal_id) return null
  return (
    <div className={cx('flex min-h-5 min-w-0 flex-wrap gap-1.5', className)}>
      {contactName && task.contact_id && (
        <RecordLink table="contacts" id={task.contact_id} className={linkClasses}>
          <OutlineBadge leading={<Avatar name={contactName} size={20} />}>{contactName}</OutlineBadge>
        </RecordLink>
      )}
      {dealName && task.deal_id && (
        <RecordLink table="deals" id={task.deal_id} className={linkClasses}>
          <OutlineBadge leading={<HandshakeIcon className="size-3.5" />}>{dealName}</OutlineBadge>
        </RecordLink>
      )}
    </div>
  )
}
