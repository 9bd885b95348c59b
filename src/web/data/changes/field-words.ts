import type { BrandTables } from '#web/data/store/definition.ts'
import { customFieldId } from '#web/data/store/row-fields.ts'

/** Words for columns whose name is not a plain word. */
const words: Readonly<Record<string, string>> = {
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
 * Returns the words for a column: 'expected close date' for 'expected_close_date', 'due date' for 'due_at', 'contact' for 'contact_id',
 * the label of a custom field.
 */
export function fieldWords(column: string, data?: BrandTables | null): string {
  const id = customFieldId(column)
  if (id !== null) return data?.tables.custom_fields.get(id)?.label ?? 'field'
  return words[column] ?? column.replace(/_id$/, '').replace(/_at$/, '_date').replaceAll('_', ' ')
}
