/** The words for columns whose name is no plain word. */
const words: Readonly<Record<string, string>> = {
  amount_currency: 'currency',
  due_at: 'due date',
  expected_close_date: 'expected close date',
  email: 'email address',
  owner_id: 'owner',
  assignee_id: 'assignee',
  stage_id: 'stage',
}

/** 'expected_close_date' -> 'expected close date', 'contact_id' -> 'contact'. */
export function fieldWords(column: string): string {
  return words[column] ?? column.replace(/_id$/, '').replaceAll('_', ' ')
}
