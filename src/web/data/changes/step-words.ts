import type { BrandData } from '#web/data/store/brand-data.ts'
import { createsRows, rowIdsOf } from '#web/data/store/operation.ts'
import { isRecordTable, type RecordTable } from '#web/data/store/record-tables.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import { countOf } from '#web/lib/count.ts'
import { textOf } from '#web/lib/read-unknown.ts'
import { deletedRow } from './delete-records.ts'
import { fieldWords } from './field-words.ts'
import { memberName } from './member-name.ts'
import { isNameColumn, rowWordsOf, nameOfRecord } from './record-words.ts'
import type { DoneOperation, Step } from './steps.ts'

/**
 * Returns the words by which the toast of an undo names the undone action: 'Renewal 2027 moved to Won', '3 deals deleted', 'Amount of
 * Renewal 2027 changed'. 'Change' if the step has no operations, or if the last one is not about a record.
 */
export function stepWords(data: BrandData, { operations }: Step): string {
  const last = operations.at(-1)
  if (!last || !isRecordTable(last.table)) return 'Change'
  // If the same action also created the record, the edit is a part of the creation.
  const main = operations.find((each) => createsRows(each) && each.rowId === last.rowId) ?? last
  const rowIds = operations.filter(({ kind, table }) => kind === main.kind && table === main.table).flatMap(rowIdsOf)
  const what = recordWordsOf(data, last.table, main, [...new Set(rowIds)])
  if (main.kind === 'delete') return `${what} deleted`
  if (main.kind === 'restore') return `${what} brought back`
  if (createsRows(main)) return `${what} ${last.table === 'deals' || last.table === 'tasks' ? 'created' : 'added'}`
  return editWords(data, last.table, main, what)
}

function recordWordsOf(
  data: BrandData,
  table: RecordTable,
  operation: DoneOperation,
  rowIds: readonly string[],
): string {
  const { one, many } = rowWordsOf(table)
  const [rowId] = rowIds
  if (rowId === undefined || rowIds.length > 1) return countOf(rowIds.length, one, many)
  const row: AnyRow | undefined = data.tables[table].get(rowId) ?? deletedRow(data.device, rowId)
  return (row && nameOfRecord(row)) ?? textOf(operation.preview, 'name') ?? `A ${one}`
}

function editWords(data: BrandData, table: RecordTable, { values, base }: DoneOperation, what: string): string {
  if (typeof values.stage_id === 'string') {
    const stage = data.tables.deal_stages.get(values.stage_id)
    return `${what} moved${stage ? ` to ${stage.name}` : ''}`
  }
  if (table === 'tasks' && values.status) return `${what} ${values.status === 'done' ? 'completed' : 'reopened'}`
  const [field = '', ...more] = Object.keys(values).filter((each) => !isSetWith(each, values))
  if (more.length > 0) return `${what} edited`
  if (field === 'owner_id' || field === 'assignee_id') return givenWords(data, values[field], what)
  if (isNameColumn(table, field)) return `${textOf(base, field) ?? 'A record'} renamed to ${textOf(values, field)}`
  const words = field === 'title' ? 'job title' : fieldWords(field, data)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} of ${what} changed`
}

/** Whether the edit sets this field because it sets another one: the company with the contact, and the currency with the amount. */
function isSetWith(field: string, values: DoneOperation['values']): boolean {
  return (field === 'company_id' && 'contact_id' in values) || (field === 'amount_currency' && 'amount' in values)
}

function givenWords(data: BrandData, userId: unknown, what: string): string {
  if (typeof userId !== 'string') return `${what} given to nobody`
  return `${what} given to ${userId === data.userId ? 'you' : (memberName(data.device, userId) ?? 'a member')}`
}
