import type { TableName } from '#web/data/server/tables.ts'

const messages: Partial<Record<TableName, string>> = {
  contacts: 'Another contact has this email address.',
  tags: 'Another tag has this name.',
  custom_fields: 'Another field has this name.',
  deal_contacts: 'This contact is in the deal already.',
}

/**
 * Returns the message for a value that another row of this table already has (error 23505). Null if there is no such message; then the
 * database's own message is shown.
 */
export function takenValueMessage(table: TableName): string | null {
  return messages[table] ?? null
}
