import { useSyncExternalStore } from 'react'

let shown = false
const listeners = new Set<() => void>()

/** Opens or closes the outbox, from the badge in the header or from a toast. */
export function showQueue(to: boolean): void {
  shown = to
  for (const listener of Array.from(listeners)) listener()
}

/** Whether the outbox is open. */
export function useQueueShown(): boolean {
  return useSyncExternalStore(subscribe, () => shown)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
