import type { BrandTables } from '#web/data/store/definition.ts'
import { customFieldId } from '#web/data/store/row-fields.ts'

/** The words for columns whose name is no plain word. */
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

/** 'expected_close_date' -> 'expected close date', 'due_at' -> 'due date', 'contact_id' -> 'contact'. A custom field is called by its label. */
export function fieldWords(column: string, data?: BrandTables | null): string {
  const id = customFieldId(column)
  if (id !== null) return data?.tables.custom_fields.get(id)?.label ?? 'field'
  return words[column] ?? column.replace(/_id$/, '').replace(/_at$/, '_date').replaceAll('_', ' ')
}
