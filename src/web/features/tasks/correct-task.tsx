import { contactName } from '#web/data/contact-names.ts'
import { type Correction, endCorrection } from '#web/data/correction.ts'
import { useRecord } from '#web/data/use-record.ts'
import { isoToLocal } from '#web/lib/dates.ts'
import { NewTaskForm } from './new-task-form.tsx'

/** The form of a new task that was refused, with what was typed. */
export function CorrectTask({ correction: { row, rowId } }: { correction: Correction<'tasks'> }) {
  const contact = useRecord('contacts', row.contact_id ?? null).row
  const deal = useRecord('deals', row.deal_id ?? null).row
  const typed = {
    title: row.title ?? '',
    due: isoToLocal(row.due_at ?? null),
    priority: row.priority ?? 'normal',
    contact: row.contact_id ? { id: row.contact_id, label: contactName(contact ?? undefined) ?? '?' } : null,
    deal: row.deal_id ? { id: row.deal_id, label: deal?.name ?? '?' } : null,
    assignee: row.assignee_id ?? '',
  }
  return <NewTaskForm open onClose={endCorrection} preset={typed} corrected={rowId} />
}
