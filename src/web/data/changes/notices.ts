import { type Device, devicePart } from '#web/data/browser/device.ts'
import { emitter } from '#web/lib/emitter.ts'
import { serverNow } from '#web/data/server/network.ts'
import type { Notice } from './notice.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { isAwaited, answerTimeoutMs } from './outcomes.ts'
import type { SendResult } from './send.ts'

const notices = devicePart(() => emitter<Notice>())

/** Calls the listener with each notice. Returns the function that stops it. */
export function subscribeToNotices(device: Device, listener: (notice: Notice) => void): () => void {
  return notices(device).subscribe(listener)
}

/**
 * Prepares the notices about the result of an operation. Call it before the outcome is announced, and call the returned function after that.
 * The code for their words is loaded only when it is needed: the server has just answered, so it can be loaded.
 */
export function prepareNotices(device: Device, operation: Operation, sent: SendResult): () => void {
  const isShown = isScreenWaiting(device, operation)
  return () => {
    if (sent.kind === 'settled' && !sent.overtakenBy && sent.rowId === operation.rowId) return
    void import('./notice-words.ts').then(
      ({ noticesOf }) => {
        for (const notice of noticesOf(device, operation, sent, isShown)) notices(device).emit(notice)
      },
      // Without the code there is no notice. An operation that needs attention stays in the outbox.
      () => {},
    )
  }
}

/** Whether the screen that made the operation, in this tab or another one, still waits for the outcome and will show it. */
function isScreenWaiting(device: Device, operation: Operation): boolean {
  if (isAwaited(device, operation.id)) return true
  return operation.awaited === true && Date.parse(serverNow(device)) - Date.parse(operation.at) < answerTimeoutMs
}
