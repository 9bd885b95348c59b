import type { BrandTables } from '#web/data/store/definition.ts'
import { customFieldId } from '#web/data/store/row-fields.ts'

/** The words for columns whose name people would not understand. */
const columnWords: Readonly<Record<string, string>> = {
  amount_currency: 'currency',
  expected_close_date: 'expected close date',
  email: 'email address',
  owner_id: 'owner',
  assignee_id: 'assignee',
  stage_id: 'stage',
  tag_ids: 'tags',
  repeats: 'repetition',
  body: 'text',
  occurred_at: 'time',
}

/**
 * Returns the words by which people know a field: 'expected close date' for the column 'expected_close_date', 'due date' for 'due_at',
 * 'contact' for 'contact_id', and the label of a custom field.
 */
export function fieldWords(column: string, data?: BrandTables | null): string {
  const id = customFieldId(column)
  if (id !== null) return data?.tables.custom_fields.get(id)?.label ?? 'field'
  return columnWords[column] ?? column.replace(/_id$/, '').replace(/_at$/, '_date').replaceAll('_', ' ')
}
