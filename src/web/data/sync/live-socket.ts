import { type Device } from '#web/data/browser/device.ts'
import { devicePart } from '#web/data/browser/device.ts'
import type { RealtimeClient } from '@supabase/realtime-js'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { loadClient } from '#web/data/server/load-client.ts'
import { reconnectWaits } from './reconnect-wait.ts'
import { type StoredSession, sessionStorageKey } from '#web/data/server/session-token.ts'
import { untilIdle } from '#web/data/browser/until-idle.ts'
import { untilVisible } from '#web/data/browser/until-visible.ts'

const sockets = devicePart((): { made?: Promise<RealtimeClient> | undefined } => ({}))

/**
 * The official client's socket, one a tab. It is asked for when the first rows have been painted; its code comes after the client, which
 * the first pull needs, when the browser is idle.
 */
export function liveSocket(device: Device): Promise<RealtimeClient> {
  const state = sockets(device)
  state.made ??= makeSocket(device).catch((error: unknown) => {
    state.made = undefined
    throw error
  })
  return state.made
}

async function makeSocket(device: Device): Promise<RealtimeClient> {
  await untilVisible()
  const { auth } = await loadClient(device)
  await untilIdle()
  const { RealtimeClient: Client } = await import('@supabase/realtime-js')
  const { url, publishableKey } = device.readBackend()
  const socket = new Client(`${url.replace(/^http/, 'ws')}/realtime/v1`, {
    params: { apikey: publishableKey },
    transport: device.WebSocket,
    reconnectAfterMs: reconnectWaits(),
    // The token that is there: the socket's heartbeat would else refresh it in the background (spec section 4).
    accessToken: () => storedToken(device),
  })
  // Without it the first join would be that of nobody.
  await socket.setAuth()
  auth.onAuthStateChange(() => {
    socket.setAuth().catch((error: unknown) => console.warn('The live feed keeps its old token for now.', error))
  })
  return socket
}

async function storedToken(device: Device): Promise<string | null> {
  const stored = await keyValueStore(device).get(sessionStorageKey)
  return stored ? (JSON.parse(stored) as StoredSession).access_token : null
}
