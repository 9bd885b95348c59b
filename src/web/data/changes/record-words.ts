import { fullName } from '#web/data/store/contact-name.ts'
import { isRecordTable, type RecordTable } from '#web/data/store/record-tables.ts'
import type { AnyRow, TableName } from '#web/data/server/tables.ts'
import { textOf } from '#web/lib/read-unknown.ts'

interface RowWords {
  one: string
  many: string
}

/**
 * Returns the words for one row and for several rows of a table: 'company' and 'companies'. For pipelines, stages and memberships the word is
 * 'record'.
 */
export function rowWordsOf(table: TableName): RowWords {
  if (table === 'custom_fields') return { one: 'field', many: 'fields' }
  if (table === 'deal_contacts') return { one: 'further contact', many: 'further contacts' }
  if (!isRecordTable(table)) return { one: 'record', many: 'records' }
  const many = table.replaceAll('_', ' ')
  return { one: many.replace(/ies$/, 'y').replace(/s$/, ''), many }
}

/**
 * Returns the words for records in a line of the queue: '“Data migration”' for one record, 'a deal' if its name is not known, '3 deals' for
 * several.
 */
export function recordWords(table: RecordTable, rows: readonly (AnyRow | undefined)[]): string {
  const words = rowWordsOf(table)
  if (rows.length !== 1) return `${rows.length} ${words.many}`
  const name = rows[0] && nameOfRecord(rows[0])
  return name ? `“${name}”` : `a ${words.one}`
}

/**
 * Returns the name by which people know a record: the name of a deal, company or tag, the title of a task, the label of a custom field, or the
 * name, email address or phone number of a contact. Null if the record has none of them.
 */
export function nameOfRecord(row: AnyRow): string | null {
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

/** Whether this column alone holds the name of a table's records. Such a column is never empty. */
export function isNameColumn(table: RecordTable, column: string): boolean {
  return column === 'name' || (column === 'title' && table !== 'contacts')
}
