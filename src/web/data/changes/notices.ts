import { type Device, devicePart } from '#web/data/browser/device.ts'
import { emitter } from '#web/lib/emitter.ts'
import { serverNow } from '#web/data/server/network.ts'
import type { Notice } from './notice.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { isAwaited, responseTimeoutMs } from './outcomes.ts'
import type { SendResult } from './send-result.ts'
import type { MergeEffect } from './settle-merged.ts'

const notices = devicePart(() => emitter<Notice>())

/** Calls the listener with each notice. Returns the function that unsubscribes. */
export function subscribeToNotices(device: Device, listener: (notice: Notice) => void): () => void {
  return notices(device).subscribe(listener)
}

/**
 * Prepares the notices about the result of an operation, and returns a function that emits them. Call `prepareNotices` before the outcome is
 * announced, because later it is not known whether a screen waited for it. Call the returned function afterwards, with the result of
 * `settleOperation`. The code for the words of notices is loaded only when it is needed. Loading is likely to succeed, because the server has just
 * answered.
 */
export function prepareNotices(
  device: Device,
  operation: Operation,
  sent: SendResult,
): (merge: MergeEffect | void) => void {
  const isShown = isScreenWaiting(device, operation)
  return (merge) => {
    if (sent.kind === 'settled' && !sent.overtakenBy && sent.rowId === operation.rowId) return
    void import('./notice-words.ts').then(
      ({ noticesOf }) => {
        for (const notice of noticesOf(device, operation, sent, isShown, merge)) notices(device).emit(notice)
      },
      // If the code cannot be loaded, there is no notice. An operation that needs attention stays in the outbox anyway.
      () => {},
    )
  }
}

/** Whether the screen that made the operation, in this tab or another one, still waits for the outcome and will show it itself. */
function isScreenWaiting(device: Device, operation: Operation): boolean {
  if (isAwaited(device, operation.id)) return true
  return operation.awaited === true && Date.parse(serverNow(device)) - Date.parse(operation.at) < responseTimeoutMs
}
