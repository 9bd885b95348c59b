import { storeRows } from '../store-rows.ts'
import { tellTabs } from '../tab-channel.ts'
import type { Outcome } from '../outcome.ts'
import { tellOutcome } from './outcomes.ts'
import { concerns, type Operation, withRowId } from './operation.ts'
import { readOperations, updateQueue } from './queue.ts'
import { rebased } from './rebase.ts'
import type { Sent } from './send.ts'

/** Writes down what the server said to an operation; what comes after it in the queue is rebased in the same transaction. */
export async function settleOperation(
  operation: Operation,
  sent: Exclude<Sent, { kind: 'wait' | 'session' }>,
): Promise<void> {
  const { userId } = operation
  switch (sent.kind) {
    case 'settled':
      return settleApplied(operation, sent)
    case 'resend':
      return updateQueue(userId, [], [sent.operation])
    case 'conflict':
      await storeRows({ userId, brandId: operation.brandId, table: operation.table, rows: [sent.row] })
      await updateQueue(
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
      return announce(operation, { status: 'queued', id: operation.rowId })
    case 'deleted':
      await storeRows({ userId, brandId: operation.brandId, table: operation.table, goneIds: [operation.rowId] })
      await updateQueue(userId, [], [{ ...operation, state: 'deleted', reason: 'This record was deleted meanwhile.' }])
      return announce(operation, { status: 'refused', message: 'This record was deleted meanwhile.', code: null })
    case 'refused':
      await updateQueue(userId, [], [{ ...operation, state: 'failed', reason: sent.message, code: sent.code }])
      return announce(operation, { status: 'refused', message: sent.message, code: sent.code })
  }
}

async function settleApplied(operation: Operation, sent: Extract<Sent, { kind: 'settled' }>): Promise<void> {
  const { userId, brandId, table } = operation
  const { row, rowId } = sent
  // First the row, then the operation goes: between the two the screen shows the same, and a kill there only sends once more.
  if (row) await storeRows({ userId, brandId, table, rows: [row] })
  const queued = await readOperations(userId)
  let later = queued.filter((candidate) => candidate.seq > operation.seq && concerns(candidate, operation.rowId))
  if (rowId !== operation.rowId) later = later.map((candidate) => withRowId(candidate, operation.rowId, rowId))
  const anew = row ? rebased(later, operation, row) : []
  const rebasedIds = new Set(anew.map((candidate) => candidate.id))
  await updateQueue(userId, [operation.id], [...anew, ...later.filter((candidate) => !rebasedIds.has(candidate.id))])
  announce(operation, { status: 'saved', id: rowId })
}

function announce(operation: Operation, outcome: Outcome): void {
  tellOutcome(operation.id, outcome)
  tellTabs({ type: 'settled', userId: operation.userId, operationId: operation.id, outcome })
}
