import { type Device, devicePart } from '#web/data/browser/device.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { onTabMessage } from '#web/data/browser/tab-channel.ts'

/** How long a dialog waits for the server's response (ms). After that time it shows 'Saved on this device' (docs/offline.md). */
export const responseTimeoutMs = 3000

const outcomeListeners = devicePart((device) => {
  const listeners = new Map<string, (outcome: Outcome) => void>()
  onTabMessage(device, (message) => {
    if (message.type === 'settled') listeners.get(message.operationId)?.(message.outcome as Outcome)
  })
  return listeners
})

/**
 * Waits for the outcome of an operation. Any tab may send the operation. Resolves with null after `timeoutMs`. Call this function before the
 * operation can be sent.
 */
export function awaitOutcome(device: Device, operationId: string, timeoutMs: number): Promise<Outcome | null> {
  return new Promise((resolve) => {
    const finish = (outcome: Outcome | null) => {
      device.clock.clearTimeout(timer)
      outcomeListeners(device).delete(operationId)
      resolve(outcome)
    }
    const timer = device.clock.setTimeout(() => finish(null), timeoutMs)
    outcomeListeners(device).set(operationId, finish)
  })
}

/** Passes the outcome of an operation to the code in this tab that waits for it in `awaitOutcome`. */
export function resolveOutcome(device: Device, operationId: string, outcome: Outcome): void {
  outcomeListeners(device).get(operationId)?.(outcome)
}

/** Whether a screen of this tab waits for the outcome of an operation. */
export function isAwaited(device: Device, operationId: string): boolean {
  return outcomeListeners(device).has(operationId)
}
