import { emitter } from '#web/lib/emitter.ts'
import { type Device, devicePart } from './device.ts'

/** The messages between the tabs of one browser. */
export type TabMessage =
  /** `replaced`: true if another user has signed in instead. The unsent operations of `userId` then stay on this device. */
  | { type: 'signed-out'; userId: string; replaced?: true }
  /** The session of this user is stored on this device. */
  | { type: 'signed-in'; userId: string }
  /**
   * Rows were written to or removed from the local database. `write`: the number of this write and of the write before it (`CountedWrite`). Missing
   * for notifications, whose writes are not counted. `deleted`: the last versions of the rows that were deleted on the server, by id.
   */
  | {
      type: 'rows'
      userId: string
      brandId: string
      table: string
      ids: readonly string[]
      write?: { after: number; number: number }
      deleted?: Record<string, number>
    }
  /** The state (`BrandState`) of a brand was stored in the local database. */
  | { type: 'brand-state'; userId: string; brandId: string }
  /** The user is no longer a member of the brand, and its rows were removed from the local database. */
  | { type: 'brand-lost'; userId: string; brandId: string }
  /** The outbox was written. */
  | { type: 'operations'; userId: string }
  /** The server asked for a pause until this time (`Date.now()`). */
  | { type: 'pause'; until: number }
  /** An operation was settled with this `Outcome`. */
  | { type: 'settled'; userId: string; operationId: string; outcome: unknown }

const tabChannel = devicePart((device) => {
  const messages = emitter<TabMessage>()
  const channel = device.openChannel?.()
  // Only this app writes to the channel, but tabs of two versions may be open.
  channel?.addEventListener('message', ({ data }) => messages.emit(data as TabMessage))
  return { messages, channel }
})

/** Sends a message to the other tabs, not to this one. */
export function postToTabs(device: Device, message: TabMessage): void {
  tabChannel(device).channel?.postMessage(message)
}

/** Calls the listener with each message from another tab. Returns the function that unsubscribes. */
export function onTabMessage(device: Device, listener: (message: TabMessage) => void): () => void {
  return tabChannel(device).messages.subscribe(listener)
}
