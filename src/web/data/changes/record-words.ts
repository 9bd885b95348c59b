import { fullName } from '#web/data/store/contact-name.ts'
import { isRecordTable, type RecordTable } from '#web/data/store/record-tables.ts'
import type { AnyRow, TableName } from '#web/data/server/tables.ts'
import { textOf } from '#web/lib/read-unknown.ts'

interface Noun {
  one: string
  many: string
}

/** The words for a row of any table, from the table's name: 'company' and 'companies'. 'record' where people do not edit its rows. */
export function nounOf(table: TableName): Noun {
  if (table === 'custom_fields') return { one: 'field', many: 'fields' }
  if (table === 'deal_contacts') return { one: 'further contact', many: 'further contacts' }
  if (!isRecordTable(table)) return { one: 'record', many: 'records' }
  const many = table.replaceAll('_', ' ')
  return { one: many.replace(/ies$/, 'y').replace(/s$/, ''), many }
}

/** These records in a line of the queue: '“Data migration”', 'a deal' without its name, '3 deals'. */
export function recordWords(table: RecordTable, rows: readonly (AnyRow | undefined)[]): string {
  const noun = nounOf(table)
  if (rows.length !== 1) return `${rows.length} ${noun.many}`
  const name = rows[0] && recordName(rows[0])
  return name ? `“${name}”` : `a ${noun.one}`
}

/** The name of a record (a deal, a company), its title (a task), a contact's name, e-mail or phone number; null where it has none. */
export function recordName(row: AnyRow): string | null {
  if ('name' in row) return textOf(row, 'name')
  if ('label' in row) return textOf(row, 'label')
  const isContact = 'first_name' in row || 'email' in row
  if (!isContact) return textOf(row, 'title')
  return (
    fullName({ first_name: textOf(row, 'first_name'), last_name: textOf(row, 'last_name') }) ??
    textOf(row, 'email') ??
    textOf(row, 'phone')
  )
}

/** Whether this column alone names the records of the table. It is never empty. */
export function isNameColumn(table: RecordTable, column: string): boolean {
  return column === 'name' || (column === 'title' && table !== 'contacts')
}
