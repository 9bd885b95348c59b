import type { Device } from '#web/data/browser/device.ts'
import type { DeletedVersions } from '#web/data/store/deletions.ts'
import { storeRows } from '#web/data/store/store-rows.ts'
import { postToTabs } from '#web/data/browser/tab-channel.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { editsToSendAfterRestore } from './after-restore.ts'
import { resolveOutcome } from './outcomes.ts'
import { refersToRow, type Operation, rowIdsOf, withRowId } from '#web/data/store/operation.ts'
import { readOperations, updateQueue } from '#web/data/store/queue.ts'
import { rebaseLater } from './rebase.ts'
import { removeDeleted } from './remove-deleted.ts'
import type { SendResult } from './send-result.ts'
import { runSeriesCode } from './series-code.ts'

const deletedMessage = 'This record was deleted meanwhile.'

/**
 * Stores the server's answer to an operation: first the rows and then, in one transaction, the operation's new state (or its removal) and
 * the rebased later operations. Then announces the outcome, unless the operation is sent again.
 */
export async function settleOperation(
  device: Device,
  operation: Operation,
  sent: Exclude<SendResult, { kind: 'wait' | 'session' }>,
): Promise<void> {
  const { userId } = operation
  if (operation.also && (sent.kind === 'settled' || sent.kind === 'changed'))
    await runSeriesCode(device, ({ settleSeriesRows }) => settleSeriesRows(device, operation))
  switch (sent.kind) {
    case 'settled':
      return settleApplied(device, operation, sent)
    case 'changed':
      return settleChanged(device, operation, sent)
    case 'removed':
      return settleDelete(device, operation, sent.deleted)
    case 'restored':
      return settleRestore(device, operation, sent.rows)
    case 'resend':
      return updateQueue(device, userId, [], [sent.operation])
    case 'conflict':
      await storeRows(device, { userId, brandId: operation.brandId, table: operation.table, rows: [sent.row] })
      await updateQueue(
        device,
        userId,
        [],
        [
          {
            ...operation,
            state: 'conflict',
            conflicts: sent.conflicts,
            version: sent.row.version,
            theirsAt: sent.row.updated_at,
            theirsBy: sent.row.updated_by,
          },
        ],
      )
      return announce(device, operation, { status: 'queued', id: operation.rowId })
    case 'deleted':
      await removeDeleted(device, operation, sent.deleted)
      await updateQueue(
        device,
        userId,
        [],
        [{ ...operation, state: 'deleted', reason: deletedMessage, theirsBy: sent.by, theirsAt: sent.at }],
      )
      return announce(device, operation, { status: 'refused', message: deletedMessage, code: null })
    case 'refused':
      await updateQueue(device, userId, [], [{ ...operation, state: 'failed', reason: sent.message, code: sent.code }])
      return announce(device, operation, { status: 'refused', message: sent.message, code: sent.code })
  }
}

async function settleApplied(
  device: Device,
  operation: Operation,
  sent: Extract<SendResult, { kind: 'settled' }>,
): Promise<void> {
  const { userId, brandId, table } = operation
  const { row, rowId } = sent
  // The row is stored before the operation is removed, so that the screen does not change in between. If the browser crashes in between, the
  // operation is sent again.
  if (row) await storeRows(device, { userId, brandId, table, rows: [row] })
  const isMerged = rowId !== operation.rowId
  const laterOnRow = (await readOperations(device, userId)).filter(
    (candidate) => candidate.seq > operation.seq && refersToRow(candidate, operation.rowId),
  )
  // An undo of 'Add Contact' deletes only a contact that this user added, never one that already existed.
  const dropped = isMerged ? laterOnRow.filter(({ kind, givesWay }) => kind === 'delete' && givesWay) : []
  const kept = laterOnRow.filter((candidate) => !dropped.includes(candidate))
  const later = kept.map((candidate) => withRowId(candidate, operation.rowId, rowId))
  const settled = sent.overtakenBy ? unwritten(operation) : operation
  const rebasedLater = row ? rebaseLater(later, settled, row, sent.wasReadLater) : []
  const rebasedIds = new Set(rebasedLater.map((candidate) => candidate.id))
  const renamed = isMerged ? later.filter((candidate) => !rebasedIds.has(candidate.id)) : []
  const endedIds = [operation, ...dropped].map(({ id }) => id)
  await updateQueue(device, userId, endedIds, [...rebasedLater, ...renamed])
  announce(device, operation, { status: 'saved', id: rowId })
}

async function settleChanged(
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
    return announce(device, operation, { status: 'saved', id: operation.rowId })
  }
  const deletedPart = { ...operation, rowId: first, rowIds: missing, theirsBy: deletedBy, theirsAt: deletedAt }
  await updateQueue(device, userId, [], [...later, { ...deletedPart, state: 'deleted', reason: deletedMessage }])
  announce(device, operation, { status: 'refused', message: deletedMessage, code: null })
}

/** Returns the ids of the operation's rows that are missing in the answer. */
function missingOf(operation: Operation, rows: readonly AnyRow[]): { first: string | undefined; missing: string[] } {
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
    rebaseLater(later, overtakenBy.includes(row) ? unwritten(operation) : operation, row, wasReadLater),
  )
}

/**
 * Returns the operation as if it had written no field of a row, because a colleague's later change stays there. Otherwise a later undo
 * would treat the colleague's values as this user's.
 */
function unwritten(operation: Operation): Operation {
  return { ...operation, values: {} }
}

async function settleDelete(device: Device, operation: Operation, deleted: DeletedVersions): Promise<void> {
  await removeDeleted(device, operation, deleted)
  await updateQueue(device, operation.userId, [operation.id], [])
  announce(device, operation, { status: 'saved', id: operation.rowId })
}

async function settleRestore(device: Device, operation: Operation, rows: readonly AnyRow[]): Promise<void> {
  const { userId, brandId, table } = operation
  await storeRows(device, { userId, brandId, table, rows })
  const queued = await readOperations(device, userId)
  const toSend = editsToSendAfterRestore(queued, operation, new Set(rows.map(({ id }) => id)))
  const rebased = await rebasedOn(device, operation, rows)
  const later = [...rebased.filter(({ seq }) => !toSend.some((edit) => edit.seq === seq)), ...toSend]
  const { first, missing } = missingOf(operation, rows)
  if (first === undefined) {
    await updateQueue(device, userId, [operation.id], later)
    return announce(device, operation, { status: 'saved', id: operation.rowId })
  }
  const message = `${missing.length} of ${rowIdsOf(operation).length} could not be brought back: another record now has a value that must be unique.`
  const unrestored: Operation = {
    ...operation,
    rowId: first,
    rowIds: missing,
    state: 'failed',
    reason: message,
    code: null,
  }
  await updateQueue(device, userId, [], [...later, unrestored])
  return announce(device, operation, { status: 'refused', message, code: null })
}

function announce(device: Device, operation: Operation, outcome: Outcome): void {
  resolveOutcome(device, operation.id, outcome)
  postToTabs(device, { type: 'settled', userId: operation.userId, operationId: operation.id, outcome })
}
