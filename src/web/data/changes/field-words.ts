/** The words for columns whose name is no plain word. */
const words: Readonly<Record<string, string>> = {
  amount_currency: 'currency',
  expected_close_date: 'expected close date',
  email: 'email address',
  owner_id: 'owner',
  assignee_id: 'assignee',
  stage_id: 'stage',
  tag_ids: 'tags',
  body: 'text',
  occurred_at: 'time',
}

/** 'expected_close_date' -> 'expected close date', 'due_at' -> 'due date', 'contact_id' -> 'contact'. */
export function fieldWords(column: string): string {
  return words[column] ?? column.replace(/_id$/, '').replace(/_at$/, '_date').replaceAll('_', ' ')
}
