import { emitter } from '#web/lib/emitter.ts'
import { type Device, devicePart } from './device.ts'

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

const tabChannel = devicePart((device) => {
  const heard = emitter<TabMessage>()
  const channel = device.openChannel?.()
  // Only this app writes to it; tabs of two versions may be open.
  channel?.addEventListener('message', ({ data }) => heard.emit(data as TabMessage))
  return { heard, channel }
})

/** Tells the other tabs, not this one. */
export function postToTabs(device: Device, message: TabMessage): void {
  tabChannel(device).channel?.postMessage(message)
}

/** Hears what other tabs tell. Returns the function that stops it. */
export function onTabMessage(device: Device, listener: (message: TabMessage) => void): () => void {
  return tabChannel(device).heard.subscribe(listener)
}
