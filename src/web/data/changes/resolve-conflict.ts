import type { Device } from '#web/data/browser/device.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { queue, updateQueue } from '#web/data/store/queue.ts'
import { discardOperation, operationOf } from './queue-actions.ts'
import { rebaseWithout } from './rebase.ts'
import { sendWaiting } from './sender.ts'

/**
 * Continues an operation in the state 'conflict'. For each field, 'mine' (the default) sends this user's value, and 'theirs' drops it. A
 * single decision applies to all fields, and a decision about an amount also to its currency. Fields without a conflict are sent in any case. If no
 * field is left, the operation is discarded.
 */
export async function resolveConflict(
  device: Device,
  id: string,
  keep: 'mine' | 'theirs' | Readonly<Record<string, 'mine' | 'theirs'>>,
): Promise<void> {
  const operation = operationOf(device, id)
  if (!operation) return
  const isDropped = (field: string): boolean =>
    (typeof keep === 'string' ? keep : keep[field]) === 'theirs' || (field === 'amount_currency' && isDropped('amount'))
  const asked = new Set(operation.conflicts.map(({ field }) => field))
  // An older version of the app has asked about the amount alone.
  if (asked.has('amount')) asked.add('amount_currency')
  const droppedFields = new Set([...asked].filter(isDropped))
  const withoutDropped = (values: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(values).filter(([field]) => !droppedFields.has(field)))
  if (Object.keys(withoutDropped(operation.values)).length === 0) return discardOperation(device, id)
  const theirs = Object.fromEntries(operation.conflicts.map(({ field, theirs: value }) => [field, value]))
  const resolved: Operation = {
    ...operation,
    values: withoutDropped(operation.values),
    preview: withoutDropped(operation.preview),
    base: withoutDropped({ ...operation.base, ...theirs }),
    state: 'waiting',
    conflicts: [],
    reason: null,
    theirsAt: null,
    theirsBy: null,
  }
  const rebased = rebaseWithout(queue(device).get().operations, operation, [...droppedFields])
  await updateQueue(device, operation.userId, [], [resolved, ...rebased])
  await sendWaiting(device)
}
