/** What the tabs of one browser tell each other. */
export type TabMessage =
  | { type: 'signed-out'; userId: string }
  | { type: 'rows'; userId: string; brandId: string; table: string; ids: readonly string[] }
  | { type: 'brand-state'; userId: string; brandId: string }
  | { type: 'brand-lost'; userId: string; brandId: string }
  | { type: 'operations'; userId: string }
  /** The server asked for a pause, until then (`Date.now()`). */
  | { type: 'pause'; until: number }
  | { type: 'settled'; userId: string; operationId: string; outcome: unknown }

const listeners = new Set<(message: TabMessage) => void>()
let channel: BroadcastChannel | undefined

function open(): BroadcastChannel | undefined {
  if (channel || typeof BroadcastChannel === 'undefined') return channel
  channel = new BroadcastChannel('banyan')
  channel.addEventListener('message', (event: MessageEvent<TabMessage>) => {
    for (const listener of Array.from(listeners)) listener(event.data)
  })
  // In Node an open channel would keep a finished process alive.
  ;(channel as { unref?: () => void }).unref?.()
  return channel
}

/** Tells the other tabs, not this one. */
export function postToTabs(message: TabMessage): void {
  open()?.postMessage(message)
}

/** Hears what other tabs tell. Returns the function that stops it. */
export function onTabMessage(listener: (message: TabMessage) => void): () => void {
  open()
  listeners.add(listener)
  return () => listeners.delete(listener)
}
