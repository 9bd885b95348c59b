import { type Device } from '#web/data/browser/device.ts'
import { devicePart } from '#web/data/browser/device.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { onTabMessage } from '#web/data/browser/tab-channel.ts'

/** So long a dialog stays open for the server's answer, in milliseconds; later it is 'Saved on this device' (design 2.7). */
export const answerTimeoutMs = 3000

const waiting = devicePart((device) => {
  const listeners = new Map<string, (outcome: Outcome) => void>()
  onTabMessage(device, (message) => {
    if (message.type === 'settled') listeners.get(message.operationId)?.(message.outcome as Outcome)
  })
  return listeners
})

/**
 * Waits for what becomes of an operation, in whichever tab it is sent; null when nothing is known after `limit` milliseconds. Call it
 * before the operation can be sent.
 */
export function awaitOutcome(device: Device, operationId: string, limit: number): Promise<Outcome | null> {
  return new Promise((resolve) => {
    const end = (outcome: Outcome | null) => {
      device.clock.clearTimeout(timer)
      waiting(device).delete(operationId)
      resolve(outcome)
    }
    const timer = device.clock.setTimeout(() => end(null), limit)
    waiting(device).set(operationId, end)
  })
}

/** Resolves `awaitOutcome` of this tab. */
export function tellOutcome(device: Device, operationId: string, outcome: Outcome): void {
  waiting(device).get(operationId)?.(outcome)
}

/** Whether somebody in this tab waits for it. */
export function isAwaited(device: Device, operationId: string): boolean {
  return waiting(device).has(operationId)
}
