import { type Device, devicePart } from '#web/data/browser/device.ts'
import { emitter } from '#web/lib/emitter.ts'
import { serverNow } from '#web/data/server/network.ts'
import type { Notice } from './notice.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { isAwaited, answerTimeoutMs } from './outcomes.ts'
import type { Sent } from './send.ts'

const notices = devicePart(() => emitter<Notice>())

/** Calls the listener with each notice. Returns the function that stops it. */
export function subscribeToNotices(device: Device, listener: (notice: Notice) => void): () => void {
  return notices(device).subscribe(listener)
}

/**
 * Prepares the notices about the result of an operation, before the outcome is announced. Call what it returns after that. Their words are
 * loaded when there is something to say: the server has just answered, so they can be.
 */
export function prepareNotices(device: Device, operation: Operation, sent: Sent): () => void {
  const isShown = isScreenWaiting(device, operation)
  return () => {
    if (sent.kind === 'settled' && !sent.overtakenBy && sent.rowId === operation.rowId) return
    void import('./notice-words.ts').then(
      ({ noticesOf }) => {
        for (const notice of noticesOf(device, operation, sent, isShown)) notices(device).emit(notice)
      },
      // What needs attention stays in the outbox.
      () => {},
    )
  }
}

/** Whether the screen that made the operation, here or in another tab, still waits for the outcome and will show it. */
function isScreenWaiting(device: Device, operation: Operation): boolean {
  if (isAwaited(device, operation.id)) return true
  return operation.awaited === true && Date.parse(serverNow(device)) - Date.parse(operation.at) < answerTimeoutMs
}
