import type { Device } from '#web/data/browser/device.ts'
import type { TableName } from '#web/data/server/tables.ts'
import { editsRows, type Operation, refersToRow, rowIdsOf, withRowId } from '#web/data/store/operation.ts'
import { readOperations, updateQueue } from '#web/data/store/queue.ts'
import { storeMergedId } from '#web/data/store/merged-ids.ts'
import { storeRows } from '#web/data/store/store-rows.ts'
import { announceOutcome } from './announce.ts'
import { rebaseLaterEdits } from './rebase.ts'
import type { SendResult } from './send-result.ts'

/** What the merge of a new record into an existing one means for the later operations of the user. A notice says that the record existed already. */
export interface MergeEffect {
  /** True if the user had deleted the new record. The existing record is not deleted. */
  isDeleteDropped: boolean
  /** True if the user had changed the field by which the records were merged. The user is asked which value is right. */
  isKeyEdited: boolean
}

/** By which field the server recognises that a new record exists already. */
const keyFields: Partial<Record<TableName, string>> = { contacts: 'email', companies: 'name', tags: 'name' }

/**
 * Stores the server's answer to a creation for which the server has found an existing record. Later operations on the new record now apply to
 * the existing one, with two exceptions, because the user meant only the record that they had added:
 * - If the user has deleted the record, the delete and the edits before it are dropped, and a later restore, too.
 * - If edits change the field by which the records were merged, the user is asked about the last of them (`withoutKeyBase`).
 */
export async function settleMerged(
  device: Device,
  operation: Operation,
  { row, rowId, wasReadLater }: Extract<SendResult, { kind: 'settled' }>,
): Promise<MergeEffect> {
  const { userId, brandId, table, rowId: newId } = operation
  if (row) await storeRows(device, { userId, brandId, table, rows: [row] })
  await storeMergedId(device, { userId, brandId, table }, newId, rowId)
  const laterOnRow = (await readOperations(device, userId)).filter(
    (candidate) => candidate.seq > operation.seq && refersToRow(candidate, newId),
  )
  const ofRow = laterOnRow.filter((candidate) => rowIdsOf(candidate).includes(newId))
  const lastDelete = ofRow.findLast(({ kind }) => kind === 'delete')
  const isRestored = ofRow.some(({ kind, seq }) => kind === 'restore' && lastDelete && seq > lastDelete.seq)
  const isOfDeleted = (candidate: Operation) =>
    editsRows(candidate) && lastDelete !== undefined && !isRestored && candidate.seq < lastDelete.seq
  const onExisting = laterOnRow.flatMap((candidate) => {
    const isDropped = candidate.kind === 'delete' || candidate.kind === 'restore' || isOfDeleted(candidate)
    return isDropped && ofRow.includes(candidate) ? withoutRow(candidate, newId) : [withRowId(candidate, newId, rowId)]
  })
  const lastKeyEdit = onExisting.findLast((candidate) => editsKey(candidate, rowId))
  const kept = onExisting.flatMap((candidate) =>
    editsKey(candidate, rowId) && candidate !== lastKeyEdit ? withoutKey(candidate) : [candidate],
  )
  const keptIds = new Set(kept.map(({ id }) => id))
  const droppedIds = laterOnRow.flatMap(({ id }) => (keptIds.has(id) ? [] : [id]))
  const rebased = new Map(
    (row ? rebaseLaterEdits(kept, operation, row, wasReadLater) : []).map((edit) => [edit.id, edit]),
  )
  const later = kept.map((candidate) => withoutKeyBase(rebased.get(candidate.id) ?? candidate, rowId))
  await updateQueue(device, userId, [operation.id, ...droppedIds], later)
  announceOutcome(device, operation, { status: 'saved', id: rowId })
  return { isDeleteDropped: lastDelete !== undefined, isKeyEdited: later.some((edit) => editsKey(edit, rowId)) }
}

/** Returns an operation on several rows without this row. Returns an empty list if no row is left. */
function withoutRow(operation: Operation, id: string): Operation[] {
  const rowIds = rowIdsOf(operation).filter((each) => each !== id)
  const [rowId] = rowIds
  return rowId === undefined ? [] : [{ ...operation, rowId, rowIds }]
}

/** Whether an edit of this row changes the field by which records of its table are merged. */
function editsKey({ kind, table, rowId, values }: Operation, id: string): boolean {
  const field = keyFields[table]
  return field !== undefined && kind === 'update' && rowId === id && field in values
}

/** Returns an edit without the field by which the records were merged. Returns an empty list if no field is left. */
function withoutKey(operation: Operation): Operation[] {
  const without = (values: Record<string, unknown>) => withoutField(values, keyFields[operation.table])
  const values = without(operation.values)
  const { preview, base } = operation
  return Object.keys(values).length === 0
    ? []
    : [{ ...operation, values, preview: without(preview), base: without(base) }]
}

function withoutField(values: Record<string, unknown>, field: string | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name !== field))
}

/**
 * Returns an edit that changes the field by which the records were merged without its base for this field. So the edit counts as a conflict when it
 * is compared with the server's row, whatever else changes in the row.
 */
function withoutKeyBase(operation: Operation, id: string): Operation {
  const field = keyFields[operation.table]
  if (field === undefined || !editsKey(operation, id)) return operation
  return { ...operation, version: 0, base: withoutField(operation.base, field) }
}
