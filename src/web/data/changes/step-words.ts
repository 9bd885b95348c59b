import type { BrandData } from '#web/data/store/brand-data.ts'
import { createsRows, editsRows, rowIdsOf } from '#web/data/store/operation.ts'
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
 * Returns the words by which the toast of an undo or a redo names the action: 'Renewal 2027 moved to Won', '3 deals deleted', 'Amount of
 * Renewal 2027 changed'. 'Change' if the step has no operations, or if the last one is not about a record. Also returns the operations that the
 * words name, unless the action has set its own words.
 */
export function stepWords(data: BrandData, step: Step): Pick<Step, 'names'> & { words: string } {
  if (step.words !== undefined && !step.names) return { words: step.words }
  const names = namedOperations(step)
  return { words: wordsOf(data, names), names }
}

/**
 * Returns the operations that the words of a step name. An undo or a redo has the words of the action that it reverts (`names`), but without the
 * rows and fields that it has not written: they were skipped, or the server refused them.
 */
function namedOperations({ operations, names }: Step): readonly DoneOperation[] {
  if (!names) return operations
  /** The fields that the step has written, by row id. Null if the step has deleted or restored the row. */
  const written = new Map<string, readonly string[] | null>()
  for (const operation of operations) {
    for (const rowId of rowIdsOf(operation)) {
      const fields = [...(written.get(rowId) ?? []), ...Object.keys(operation.values)]
      written.set(rowId, editsRows(operation) ? fields : null)
    }
  }
  const isWritten = (rowId: string, field: string) => written.get(rowId)?.includes(field) ?? written.has(rowId)
  return names.flatMap((operation) => {
    const fields = Object.keys(operation.values)
    const rowIds = rowIdsOf(operation).filter((rowId) =>
      editsRows(operation) ? fields.some((field) => isWritten(rowId, field)) : written.has(rowId),
    )
    const values = Object.fromEntries(
      Object.entries(operation.values).filter(([field]) => rowIds.some((rowId) => isWritten(rowId, field))),
    )
    const [rowId] = rowIds
    return rowId === undefined ? [] : [{ ...operation, rowId, rowIds, values }]
  })
}

function wordsOf(data: BrandData, operations: readonly DoneOperation[]): string {
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
