import { fullName } from '#web/data/store/contact-name.ts'
import type { RecordTable } from '#web/data/store/record-tables.ts'
import type { AnyRow, TableName } from '#web/data/server/tables.ts'
import { textOf } from '#web/lib/read-unknown.ts'

interface Noun {
  one: string
  many: string
}

/** The words for a record of each table. */
export const nouns: Record<RecordTable, Noun> = {
  deals: { one: 'deal', many: 'deals' },
  contacts: { one: 'contact', many: 'contacts' },
  companies: { one: 'company', many: 'companies' },
  tasks: { one: 'task', many: 'tasks' },
}

/** The words for a row of any table: 'record' where people do not edit its rows. */
export function nounOf(table: TableName): Noun {
  return isRecordTable(table) ? nouns[table] : { one: 'record', many: 'records' }
}

export function isRecordTable(table: TableName): table is RecordTable {
  return table in nouns
}

/** These records in a line of the queue: '“Data migration”', 'a deal' without its name, '3 deals'. */
export function recordWords(table: RecordTable, rows: readonly (AnyRow | undefined)[]): string {
  const noun = nouns[table]
  if (rows.length !== 1) return `${rows.length} ${noun.many}`
  const name = rows[0] && recordName(rows[0])
  return name ? `“${name}”` : `a ${noun.one}`
}

/** The name of a deal or company, the title of a task, a contact's name or e-mail; null where it has none. */
export function recordName(row: AnyRow): string | null {
  if ('name' in row) return textOf(row, 'name')
  if ('due_at' in row) return textOf(row, 'title')
  return (
    fullName({ first_name: textOf(row, 'first_name'), last_name: textOf(row, 'last_name') }) ?? textOf(row, 'email')
  )
}
