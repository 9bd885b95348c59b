import { type Device, devicePart } from '#web/data/browser/device.ts'
import type { RealtimeClient } from '@supabase/realtime-js'
import { importRetryable } from '#web/data/server/import-retryable.ts'
import { loadClient } from '#web/data/server/load-client.ts'
import { createReconnectDelay } from './reconnect-delay.ts'
import { readStoredSession } from '#web/data/server/stored-session.ts'
import { untilIdle } from '#web/data/browser/until-idle.ts'
import { untilVisible } from '#web/data/browser/until-visible.ts'

const socketState = devicePart((): { socket?: Promise<RealtimeClient> | undefined } => ({}))

/**
 * Returns the socket for live changes; a tab has only one. Call it after the first rows have been painted. The first call waits until the tab is
 * visible, and loads the code of Supabase's official client, which the first pull also needs. Then it waits until the browser is idle, and loads the
 * code of the socket. Rejects if the code does not load. The next call tries again.
 */
export function liveSocket(device: Device): Promise<RealtimeClient> {
  const state = socketState(device)
  state.socket ??= makeSocket(device).catch((error: unknown) => {
    state.socket = undefined
    throw error
  })
  return state.socket
}

async function makeSocket(device: Device): Promise<RealtimeClient> {
  await untilVisible()
  const { auth } = await loadClient(device)
  await untilIdle()
  const { RealtimeClient: Client } = await importRetryable(() => import('@supabase/realtime-js'))
  const { url, publishableKey } = device.readBackend()
  const socket = new Client(`${url.replace(/^http/, 'ws')}/realtime/v1`, {
    params: { apikey: publishableKey },
    transport: device.WebSocket,
    reconnectAfterMs: createReconnectDelay(),
    // Uses the stored token. Otherwise the socket's heartbeat would renew the session in the background (spec section 4).
    accessToken: async () => (await readStoredSession(device))?.access_token ?? null,
  })
  // Without this, the first join would be sent without the user's token.
  await socket.setAuth()
  auth.onAuthStateChange(() => {
    socket.setAuth().catch((error: unknown) => console.warn('The live channel did not get the new token.', error))
  })
  return socket
}
