import type { Outcome } from '../outcome.ts'
import { hearTabs } from '../tab-channel.ts'

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

/** Tells whoever waits in this tab. */
export function tellOutcome(operationId: string, outcome: Outcome): void {
  waiting.get(operationId)?.(outcome)
}

hearTabs((message) => {
  if (message.type === 'settled') tellOutcome(message.operationId, message.outcome as Outcome)
})
