import { contactName } from '#web/data/store/contact-name.ts'
import type { Correction } from '#web/data/changes/correction.ts'
import { useRecord } from '#web/data/query/use-record.ts'
import { readRepeats } from '#web/lib/series.ts'
import { typedTextOf } from '#web/lib/typed-date.ts'
import { emptyTask, type TypedTask } from './task-schema.ts'

/** The initial values of the form: empty, or those of a refused task. */
export function useTypedTask(correction: Correction<'tasks'> | null): TypedTask {
  const { contact_id = null, deal_id = null, ...row } = correction?.row ?? {}
  const contact = useRecord('contacts', contact_id).row
  const deal = useRecord('deals', deal_id).row
  if (!correction) return emptyTask
  return {
    title: row.title ?? '',
    due: typedTextOf(row.due_at ?? null),
    repeats: readRepeats(row.repeats)?.every ?? 'never',
    priority: row.priority ?? emptyTask.priority,
    contact: contact_id ? { id: contact_id, label: contactName(contact ?? undefined) ?? '?' } : null,
    deal: deal_id ? { id: deal_id, label: deal?.name ?? '?' } : null,
    assignee: row.assignee_id ?? '',
  }
}
