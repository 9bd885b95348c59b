import type { Outcome } from '#web/data/session/outcome.ts'
import { onTabMessage } from '#web/data/browser/tab-channel.ts'

/** So long a dialog stays open for the server's answer, in milliseconds; later it is 'Saved on this device' (design 2.7). */
export const answerTimeoutMs = 3000

const waiting = new Map<string, (outcome: Outcome) => void>()

/**
 * Waits for what becomes of an operation, in whichever tab it is sent; null when nothing is known after `limit` milliseconds. Call it
 * before the operation can be sent.
 */
export function awaitOutcome(operationId: string, limit: number): Promise<Outcome | null> {
  return new Promise((resolve) => {
    const end = (outcome: Outcome | null) => {
      clearTimeout(timer)
      waiting.delete(operationId)
      resolve(outcome)
    }
    const timer = setTimeout(() => end(null), limit)
    waiting.set(operationId, end)
  })
}

/** Resolves `awaitOutcome` of this tab. */
export function tellOutcome(operationId: string, outcome: Outcome): void {
  waiting.get(operationId)?.(outcome)
}

/** Whether somebody in this tab waits for it. */
export function isAwaited(operationId: string): boolean {
  return waiting.has(operationId)
}

onTabMessage((message) => {
  if (message.type === 'settled') tellOutcome(message.operationId, message.outcome as Outcome)
})
