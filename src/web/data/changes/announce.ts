import type { Device } from '#web/data/browser/device.ts'
import { postToTabs } from '#web/data/browser/tab-channel.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { resolveOutcome } from './outcomes.ts'

/** The message of an edit whose record was deleted. */
export const deletedMessage = 'This record was deleted meanwhile.'

/** Passes the outcome of an operation to the waiting screen in this tab, and sends it to the other tabs. */
export function announceOutcome(device: Device, operation: Operation, outcome: Outcome): void {
  resolveOutcome(device, operation.id, outcome)
  postToTabs(device, { type: 'settled', userId: operation.userId, operationId: operation.id, outcome })
}

/**
 * Returns a copy of the operation without values, for `rebaseLaterEdits`. Use it for a row in which a colleague's later change stays, so that the
 * operation was not applied to the row. Otherwise a later undo would treat the colleague's values as this user's.
 */
export function asNotApplied(operation: Operation): Operation {
  return { ...operation, values: {} }
}
