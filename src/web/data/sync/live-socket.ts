import { wait } from '#web/data/browser/wait.ts'
import { type Device } from '#web/data/browser/device.ts'
import { devicePart } from '#web/data/browser/device.ts'
import type { RealtimeClient } from '@supabase/realtime-js'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { loadClient } from '#web/data/server/load-client.ts'
import { reconnectWaits } from './reconnect-wait.ts'
import { type StoredSession, sessionStorageKey } from '#web/data/server/session-token.ts'
import { untilVisible } from '#web/data/browser/until-visible.ts'

const sockets = devicePart((): { made?: Promise<RealtimeClient> | undefined } => ({}))

/** So long the first look has the network and the processor for itself. Milliseconds. */
const afterFirstLook = 2_600

/** The official client's socket, one a tab; loaded when the page has painted, as it takes nothing for a first look. */
export function liveSocket(device: Device): Promise<RealtimeClient> {
  const state = sockets(device)
  state.made ??= makeSocket(device).catch((error: unknown) => {
    state.made = undefined
    throw error
  })
  return state.made
}

async function makeSocket(device: Device): Promise<RealtimeClient> {
  await wait(device, afterFirstLook)
  await untilVisible()
  const { RealtimeClient: Client } = await import('@supabase/realtime-js')
  const { url, publishableKey } = device.readBackend()
  const socket = new Client(`${url.replace(/^http/, 'ws')}/realtime/v1`, {
    params: { apikey: publishableKey },
    reconnectAfterMs: reconnectWaits(),
    // The token that is there: the socket's heartbeat would else refresh it in the background (spec section 4).
    accessToken: () => storedToken(device),
  })
  // Without it the first join would be that of nobody.
  await socket.setAuth()
  const { auth } = await loadClient(device)
  auth.onAuthStateChange(() => {
    socket.setAuth().catch((error: unknown) => console.warn('The live feed keeps its old token for now.', error))
  })
  return socket
}

async function storedToken(device: Device): Promise<string | null> {
  const stored = await keyValueStore(device).get(sessionStorageKey)
  return stored ? (JSON.parse(stored) as StoredSession).access_token : null
}
