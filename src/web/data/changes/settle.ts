import type { Device } from '#web/data/browser/device.ts'
import type { DeletedVersions } from '#web/data/store/deletions.ts'
import { storeRows } from '#web/data/store/store-rows.ts'
import { announceOutcome, deletedMessage, asNotApplied } from './announce.ts'
import { loadRareSendCode } from './load-rare-send-code.ts'
import { refersToRow, type Operation } from '#web/data/store/operation.ts'
import { readOperations, updateQueue } from '#web/data/store/queue.ts'
import { rebaseLaterEdits } from './rebase.ts'
import { removeDeleted } from './remove-deleted.ts'
import { replacesEdit } from './send-order.ts'
import type { SendResult } from './send-result.ts'
import { runSeriesCode } from './series-code.ts'
import type { MergeEffect } from './settle-merged.ts'

/**
 * Stores the server's answer to an operation: first the rows and then, in one transaction, the operation's new state (or its removal) and
 * the rebased later operations. Then announces the outcome, unless the operation is sent again. If the server has merged a new record into an
 * existing one, returns what this means for the later operations.
 */
export async function settleOperation(
  device: Device,
  operation: Operation,
  sent: Exclude<SendResult, { kind: 'wait' | 'session' }>,
): Promise<MergeEffect | void> {
  const { userId } = operation
  if (operation.also && (sent.kind === 'settled' || sent.kind === 'changed'))
    await runSeriesCode(device, ({ settleSeriesRows }) => settleSeriesRows(device, operation))
  switch (sent.kind) {
    case 'settled':
      if (sent.rowId === operation.rowId) return settleApplied(device, operation, sent)
      return (await loadRareSendCode()).settleMerged(device, operation, sent)
    case 'changed':
      return (await loadRareSendCode()).settleChanged(device, operation, sent)
    case 'deleted-here':
      return settleDelete(device, operation, sent.deleted)
    case 'restored':
      return (await loadRareSendCode()).settleRestore(device, operation, sent.rows)
    case 'resend':
      return updateQueue(device, userId, [], [sent.operation])
    case 'conflict':
      return (await loadRareSendCode()).settleConflict(device, operation, sent)
    case 'deleted-elsewhere':
      return settleEditOfDeletedRow(device, operation, sent)
    case 'refused':
      return (await loadRareSendCode()).settleRefused(device, operation, sent)
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
  const queued = await readOperations(device, userId)
  const later = queued.filter((candidate) => candidate.seq > operation.seq && refersToRow(candidate, rowId))
  const settled = sent.overtakenBy ? asNotApplied(operation) : operation
  const ended = [operation, ...queued.filter((earlier) => replacesEdit(operation, earlier))]
  const rebased = row ? rebaseLaterEdits(later, settled, row, sent.wasReadLater) : []
  await updateQueue(
    device,
    userId,
    ended.map(({ id }) => id),
    rebased,
  )
  announceOutcome(device, operation, { status: 'saved', id: rowId })
}

/** Stores the server's answer to a delete. */
async function settleDelete(device: Device, operation: Operation, deleted: DeletedVersions): Promise<void> {
  await removeDeleted(device, operation, deleted)
  await updateQueue(device, operation.userId, [operation.id], [])
  announceOutcome(device, operation, { status: 'saved', id: operation.rowId })
}

/** Stores that the record of an edit was deleted: the user decides whether to restore it. */
async function settleEditOfDeletedRow(
  device: Device,
  operation: Operation,
  { deleted, by, at }: Extract<SendResult, { kind: 'deleted-elsewhere' }>,
): Promise<void> {
  await removeDeleted(device, operation, deleted)
  const undecided: Operation = { ...operation, state: 'deleted', reason: deletedMessage, theirsBy: by, theirsAt: at }
  await updateQueue(device, operation.userId, [], [undecided])
  announceOutcome(device, operation, { status: 'refused', message: deletedMessage, code: null })
}
