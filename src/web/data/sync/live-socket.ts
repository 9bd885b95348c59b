import type { RealtimeClient } from '@supabase/realtime-js'
import { readConfig } from '#web/data/server/config.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { loadClient } from '#web/data/server/load-client.ts'
import { reconnectWaits } from './reconnect-wait.ts'
import { type StoredSession, sessionStorageKey } from '#web/data/server/session-token.ts'
import { untilVisible } from '#web/data/browser/until-visible.ts'

let made: Promise<RealtimeClient> | undefined

/** So long the first look has the network and the processor for itself. Milliseconds. */
const afterFirstLook = 2_600

/** The official client's socket, one a tab; loaded when the page has painted, as it takes nothing for a first look. */
export function liveSocket(): Promise<RealtimeClient> {
  made ??= makeSocket().catch((error: unknown) => {
    made = undefined
    throw error
  })
  return made
}

async function makeSocket(): Promise<RealtimeClient> {
  await new Promise((resolve) => setTimeout(resolve, afterFirstLook))
  await untilVisible()
  const { RealtimeClient: Client } = await import('@supabase/realtime-js')
  const { url, publishableKey } = readConfig()
  const socket = new Client(`${url.replace(/^http/, 'ws')}/realtime/v1`, {
    params: { apikey: publishableKey },
    reconnectAfterMs: reconnectWaits(),
    // The token that is there: the socket's heartbeat would else refresh it in the background (spec section 4).
    accessToken: storedToken,
  })
  // Without it the first join would be that of nobody.
  await socket.setAuth()
  const { auth } = await loadClient()
  auth.onAuthStateChange(() => {
    socket.setAuth().catch((error: unknown) => console.warn('The live feed keeps its old token for now.', error))
  })
  return socket
}

async function storedToken(): Promise<string | null> {
  const stored = await keyValueStore.get(sessionStorageKey)
  return stored ? (JSON.parse(stored) as StoredSession).access_token : null
}
