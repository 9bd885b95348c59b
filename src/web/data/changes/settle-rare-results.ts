import type { Device } from '#web/data/browser/device.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import { type Operation, rowIdsOf } from '#web/data/store/operation.ts'
import { readOperations, updateQueue } from '#web/data/store/queue.ts'
import { readMergedId, withMergedIds } from '#web/data/store/merged-ids.ts'
import { storeRows } from '#web/data/store/store-rows.ts'
import { editsToSendAfterRestore } from './after-restore.ts'
import { announceOutcome, deletedMessage, asNotApplied } from './announce.ts'
import { rebaseLaterEdits, rebaseWithout } from './rebase.ts'
import { removeDeleted } from './remove-deleted.ts'
import { unrestoredMessage } from './restore-words.ts'
import type { SendResult } from './send-result.ts'

// Settles results that are rare (many rows, a restore, a conflict, a refusal). So this code is loaded only when it is needed.

/** Stores the server's answer to an operation on many rows. */
export async function settleChanged(
  device: Device,
  operation: Operation,
  { rows, overtakenBy, deleted, deletedBy, deletedAt, wasReadLater }: Extract<SendResult, { kind: 'changed' }>,
): Promise<void> {
  const { userId, brandId, table } = operation
  await storeRows(device, { userId, brandId, table, rows })
  const later = await rebasedOn(device, operation, rows, { overtakenBy, wasReadLater })
  const { first, missing } = missingOf(operation, rows)
  await removeDeleted(device, operation, deleted)
  // A missing row was deleted. A deleted row needs attention after an edit, but not after a delete.
  if (first === undefined || operation.kind === 'delete') {
    await updateQueue(device, userId, [operation.id], later)
    return announceOutcome(device, operation, { status: 'saved', id: operation.rowId })
  }
  const deletedPart = { ...operation, rowId: first, rowIds: missing, theirsBy: deletedBy, theirsAt: deletedAt }
  await updateQueue(device, userId, [], [...later, { ...deletedPart, state: 'deleted', reason: deletedMessage }])
  announceOutcome(device, operation, { status: 'refused', message: deletedMessage, code: null })
}

/** Stores the server's answer to an undo of a delete. Edits that wait because of the delete are sent after it. */
export async function settleRestore(device: Device, operation: Operation, rows: readonly AnyRow[]): Promise<void> {
  const { userId, brandId, table } = operation
  await storeRows(device, { userId, brandId, table, rows })
  const queued = await readOperations(device, userId)
  const toSend = editsToSendAfterRestore(queued, operation, new Set(rows.map(({ id }) => id)))
  const rebased = await rebasedOn(device, operation, rows)
  const later = [...rebased.filter(({ seq }) => !toSend.some((edit) => edit.seq === seq)), ...toSend]
  // A record that was merged into an existing one was not deleted (`settleMerged`), so there is nothing to restore.
  const mergedIds = await mergedIdsOf(device, operation)
  const { first, missing } = missingOf(operation, [...rows, ...mergedIds])
  if (first === undefined) {
    await updateQueue(device, userId, [operation.id], later)
    return announceOutcome(device, operation, { status: 'saved', id: operation.rowId })
  }
  const message = unrestoredMessage(operation, missing)
  const unrestored: Operation = {
    ...operation,
    rowId: first,
    rowIds: missing,
    state: 'failed',
    reason: message,
    code: null,
  }
  await updateQueue(device, userId, [], [...later, unrestored])
  return announceOutcome(device, operation, { status: 'refused', message, code: null })
}

/** Returns the rows of the operation that were created on this device and merged into existing ones, by their own ids. */
async function mergedIdsOf(device: Device, operation: Operation): Promise<{ id: string }[]> {
  const found = await Promise.all(
    rowIdsOf(operation).map(async (id) => ((await readMergedId(device, operation, id)) === null ? [] : [{ id }])),
  )
  return found.flat()
}

/** Returns the ids of the operation's rows that are missing in the answer. */
function missingOf(
  operation: Operation,
  rows: readonly { id: string }[],
): { first: string | undefined; missing: string[] } {
  const present = new Set(rows.map((row) => row.id))
  const missing = rowIdsOf(operation).filter((id) => !present.has(id))
  return { first: missing[0], missing }
}

/** Returns the later operations of the queue that change because they are rebased on these rows. The rows in `overtakenBy` were not written. */
async function rebasedOn(
  device: Device,
  operation: Operation,
  rows: readonly AnyRow[],
  { overtakenBy = [], wasReadLater }: { overtakenBy?: readonly AnyRow[]; wasReadLater?: true | undefined } = {},
): Promise<Operation[]> {
  const queued = await readOperations(device, operation.userId)
  const later = queued.filter((candidate) => candidate.seq > operation.seq)
  return rows.flatMap((row) =>
    rebaseLaterEdits(later, overtakenBy.includes(row) ? asNotApplied(operation) : operation, row, wasReadLater),
  )
}

/** Stores that a colleague has changed the same fields: the user decides which values are right. */
export async function settleConflict(
  device: Device,
  operation: Operation,
  { row, conflicts, theirsAt, theirsBy }: Extract<SendResult, { kind: 'conflict' }>,
): Promise<void> {
  const { userId, brandId, table } = operation
  await storeRows(device, { userId, brandId, table, rows: [row] })
  const { version } = row
  await updateQueue(device, userId, [], [{ ...operation, state: 'conflict', conflicts, version, theirsAt, theirsBy }])
  announceOutcome(device, operation, { status: 'queued', id: operation.rowId })
}

/** Stores a refusal. If the operation refers to a record that was merged into another one, it is sent again with the id of that one. */
export async function settleRefused(
  device: Device,
  operation: Operation,
  { message, code }: Extract<SendResult, { kind: 'refused' }>,
): Promise<void> {
  const { userId } = operation
  // 23503: PostgreSQL's code for a reference to a row that does not exist.
  const corrected = code === '23503' && (await withMergedIds(device, operation))
  if (corrected) return updateQueue(device, userId, [], [corrected])
  // The later edits of the row are sent, so they must not be based on the refused values.
  const fields = operation.kind === 'update' ? Object.keys(operation.values) : []
  const later = rebaseWithout(await readOperations(device, userId), operation, fields)
  await updateQueue(device, userId, [], [{ ...operation, state: 'failed', reason: message, code }, ...later])
  announceOutcome(device, operation, { status: 'refused', message, code })
}
