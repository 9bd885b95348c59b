import type { Device } from '#web/data/browser/device.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { fieldOf, listOf, numberOf, textOf } from '#web/lib/read-unknown.ts'
import { type StoredSession, sessionStorageKey } from './session-token.ts'

/** Reads the session that the official client keeps on this device. Null if there is none. Never waits for the network. */
export async function readStoredSession(device: Device): Promise<StoredSession | null> {
  const stored: unknown = JSON.parse((await keyValueStore(device).get(sessionStorageKey)) ?? 'null')
  const access_token = textOf(stored, 'access_token')
  if (access_token === null) return null
  const factors = listOf(fieldOf(fieldOf(stored, 'user'), 'factors'))
  return { access_token, expires_at: numberOf(stored, 'expires_at'), user: { factors } }
}
