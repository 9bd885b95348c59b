import type { Device } from '#web/data/browser/device.ts'
import type { AnyRow, TableName } from '#web/data/server/tables.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { type Operation, refersToRow, rowIdsOf, withRowId } from '#web/data/store/operation.ts'
import { readOperations, updateQueue } from '#web/data/store/queue.ts'
import { readField } from '#web/data/store/row-fields.ts'
import { storeMergedId } from '#web/data/store/merged-ids.ts'
import { storeRows } from '#web/data/store/store-rows.ts'
import { announceOutcome } from './announce.ts'
import { rebaseLaterEdits } from './rebase.ts'
import { isSameValue } from './same-value.ts'
import type { SendResult } from './send-result.ts'
import { stepsOf } from './steps.ts'

/** What the merge of a new record into an existing one means for the later operations of the user. A notice says it. */
export interface MergeEffect {
  /** True if the user had deleted the new record. The existing record is not deleted. */
  isDeleteDropped: boolean
  /** The field by which the records were merged, if the user had changed it in the new record. The user is asked which value is right. */
  questionedField: string | null
}

/** By which field the server recognises that a new record exists already. */
const keyFields: Partial<Record<TableName, string>> = { contacts: 'email', companies: 'name', tags: 'name' }

/**
 * Stores the server's answer to a creation for which the server has found an existing record. Later operations on the new record now apply to
 * the existing one, with two exceptions, because the user meant only the record that they had added:
 * - A delete is dropped, and a later restore of the same record, too.
 * - If an edit changes the field by which the records were merged, the user is asked.
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
  const kept = laterOnRow.flatMap((candidate) =>
    candidate.kind === 'delete' || candidate.kind === 'restore'
      ? withoutRow(candidate, newId)
      : [withRowId(candidate, newId, rowId)],
  )
  const keptIds = new Set(kept.map(({ id }) => id))
  const droppedIds = laterOnRow.flatMap(({ id }) => (keptIds.has(id) ? [] : [id]))
  const rebased = new Map(
    (row ? rebaseLaterEdits(kept, operation, row, wasReadLater) : []).map((edit) => [edit.id, edit]),
  )
  const later = kept.map((candidate) => rebased.get(candidate.id) ?? candidate)
  const questioned = row && later.find((candidate) => changesKey(candidate, row))
  const question = row && questioned && withQuestion(questioned, row)
  await updateQueue(
    device,
    userId,
    [operation.id, ...droppedIds],
    later.map((candidate) => (question && candidate === questioned ? question : candidate)),
  )
  forgetDelete(device, brandId, newId)
  announceOutcome(device, operation, { status: 'saved', id: rowId })
  return {
    isDeleteDropped: laterOnRow.some(({ kind, rowIds }) => kind === 'delete' && rowIds?.includes(newId)),
    questionedField: question ? (keyFields[table] ?? null) : null,
  }
}

/** Returns a delete or restore without this row. Returns an empty list if no row is left. */
function withoutRow(operation: Operation, id: string): Operation[] {
  const rowIds = rowIdsOf(operation).filter((each) => each !== id)
  const [rowId] = rowIds
  return rowId === undefined ? [] : [{ ...operation, rowId, rowIds }]
}

/** Whether an edit changes the field by which the new record was merged into this existing row. */
function changesKey({ kind, table, rowId, values }: Operation, row: AnyRow): boolean {
  const field = keyFields[table]
  return (
    field !== undefined &&
    kind === 'update' &&
    rowId === row.id &&
    field in values &&
    !isSameValue(values[field], readField(row, field))
  )
}

/** Returns the edit as a conflict about the field by which the records were merged. */
function withQuestion(operation: Operation, row: AnyRow): Operation {
  const field = keyFields[operation.table] ?? ''
  const theirs = readField(row, field)
  const conflict = { field, base: theirs, mine: operation.values[field], theirs }
  return {
    ...operation,
    state: 'conflict',
    conflicts: [conflict],
    version: row.version,
    theirsAt: null,
    theirsBy: null,
  }
}

/** Removes the dropped delete from the steps that this tab can undo, because there is nothing to restore. */
function forgetDelete(device: Device, brandId: string, id: string): void {
  const data = openBrand(device).get()
  if (data?.brandId !== brandId) return
  const { done, undone } = stepsOf(data)
  for (const step of [...done, ...undone]) {
    step.operations = step.operations.flatMap((each) => {
      if (each.kind !== 'delete' || !rowIdsOf(each).includes(id)) return [each]
      const rowIds = rowIdsOf(each).filter((rowId) => rowId !== id)
      const [rowId] = rowIds
      return rowId === undefined ? [] : [{ ...each, rowId, rowIds }]
    })
  }
}
