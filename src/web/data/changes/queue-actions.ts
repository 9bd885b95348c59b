import type { Device } from '#web/data/browser/device.ts'
import { newId } from '#web/lib/new-id.ts'
import { loadRareSendCode } from './load-rare-send-code.ts'
import { dependentsOf } from './send-order.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { queue, readOperations, updateQueue } from '#web/data/store/queue.ts'
import { rebaseWithout } from './rebase.ts'
import { sendWaiting } from './sender.ts'

/** Sends a refused operation again, with a new key. */
export async function retryOperation(device: Device, id: string): Promise<void> {
  await changeOperation(device, id, (operation) => ({
    ...operation,
    id: newId(),
    state: 'waiting',
    reason: null,
    code: null,
  }))
  await sendWaiting(device)
}

/**
 * Removes a refused operation from the queue, because a screen shows the refusal. An operation with dependents stays under 'Needs attention':
 * the dependents would be removed too, and only the user may decide that.
 */
export async function discardRefused(device: Device, id: string): Promise<void> {
  const userId = operationOf(device, id)?.userId
  if (userId === undefined) return
  const operations = await readOperations(device, userId)
  const operation = operations.find((candidate) => candidate.id === id)
  if (operation?.state !== 'failed' || dependentsOf(operations, operation).length > 0) return
  await discardOperation(device, id)
}

/**
 * Removes an operation from the queue, with its preview and the operations that depend on it. Sends the operations that it blocked.
 */
export async function discardOperation(device: Device, id: string): Promise<void> {
  const userId = operationOf(device, id)?.userId
  if (userId === undefined) return
  const operations = await readOperations(device, userId)
  const operation = operations.find((candidate) => candidate.id === id)
  if (!operation) return
  const ids = [operation, ...dependentsOf(operations, operation)].map((candidate) => candidate.id)
  const rebased = operation.kind === 'update' ? rebaseWithout(operations, operation, Object.keys(operation.values)) : []
  await updateQueue(device, userId, ids, rebased)
  await sendWaiting(device)
}

/**
 * For an operation in the state 'deleted': restores the deleted records on the server, and then sends the operation. Rejects with a sentence
 * for the user if the server does not answer or the records cannot be restored.
 */
export async function restoreDeleted(device: Device, id: string): Promise<void> {
  const operation = operationOf(device, id)
  if (!operation) return
  const { resendableEdit, restoreOnServer } = await loadRareSendCode()
  await restoreOnServer(device, operation)
  await changeOperation(device, id, resendableEdit)
  await sendWaiting(device)
}

/** Returns the operation with this id. Undefined if the queue does not contain it. */
export function operationOf(device: Device, id: string): Operation | undefined {
  return queue(device)
    .get()
    .operations.find((candidate) => candidate.id === id)
}

async function changeOperation(device: Device, id: string, change: (operation: Operation) => Operation): Promise<void> {
  const operation = operationOf(device, id)
  if (operation) await updateQueue(device, operation.userId, [], [change(operation)])
}
