import type { Device } from '#web/data/browser/device.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { fieldOf, listOf, numberOf, textOf } from '#web/lib/read-unknown.ts'
import { type StoredFactor, type StoredSession, sessionStorageKey } from './session-token.ts'

/** The session that the official client keeps on this device; null where there is none. Never waits for the network. */
export async function readStoredSession(device: Device): Promise<StoredSession | null> {
  const stored = await keyValueStore(device).get(sessionStorageKey)
  return stored ? sessionOf(JSON.parse(stored)) : null
}

function sessionOf(stored: unknown): StoredSession | null {
  const user = fieldOf(stored, 'user')
  const access_token = textOf(stored, 'access_token')
  const id = textOf(user, 'id')
  if (access_token === null || id === null) return null
  return {
    access_token,
    expires_at: numberOf(stored, 'expires_at') ?? undefined,
    user: {
      id,
      email: textOf(user, 'email') ?? undefined,
      factors: listOf(fieldOf(user, 'factors')).map(factorOf),
    },
  }
}

function factorOf(stored: unknown): StoredFactor {
  return {
    id: textOf(stored, 'id') ?? '',
    factor_type: textOf(stored, 'factor_type') ?? '',
    friendly_name: textOf(stored, 'friendly_name') ?? undefined,
    created_at: textOf(stored, 'created_at') ?? '',
    status: textOf(stored, 'status') ?? '',
  }
}
