import { useSyncExternalStore } from 'react'

let shown = false
const listeners = new Set<() => void>()

/** Opens the queue, or closes it: from the badge in the header and from a toast. */
export function showQueue(to: boolean): void {
  shown = to
  for (const listener of Array.from(listeners)) listener()
}

/** Whether the queue is open. */
export function useQueueShown(): boolean {
  return useSyncExternalStore(subscribe, () => shown)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
