import { type Device, devicePart } from '#web/data/browser/device.ts'
import type { SupabaseClient } from '@supabase/supabase-js'
import { importRetryable } from './import-retryable.ts'

/** Maximum time that a call waits for the client's code. Loading continues after that, for later calls. */
const loadTimeoutMs = 20_000

interface ClientState {
  client?: SupabaseClient
  onLoaded?: (client: SupabaseClient) => void
}

const clientState = devicePart((): ClientState => ({}))

/**
 * Returns the only client of this tab. The first call loads its code: 130 kB, 28 kB compressed. The first paint does not need it, neither on the
 * sign-in page nor for rows that are on this device. Rejects if the code cannot be loaded within 20 s or if no backend is configured. The next
 * call tries again.
 */
export async function loadClient(device: Device): Promise<SupabaseClient> {
  const state = clientState(device)
  if (state.client) return state.client
  const backend = device.readBackend()
  const { makeClient } = await Promise.race([importRetryable(() => import('./client.ts')), rejectAfterTimeout(device)])
  if (state.client) return state.client
  state.client = makeClient(device, backend)
  state.onLoaded?.(state.client)
  return state.client
}

function rejectAfterTimeout(device: Device): Promise<never> {
  return new Promise((_, reject) => {
    device.clock.setTimeout(() => reject(new Error('The client did not load in time.')), loadTimeoutMs)
  })
}

/**
 * Calls the listener with the client when it is loaded, before anything else uses it. If the client is already loaded, calls the listener at
 * once. Keeps only the listener of the last call.
 */
export function onClientLoaded(device: Device, listen: (client: SupabaseClient) => void): void {
  const state = clientState(device)
  if (state.client) listen(state.client)
  else state.onLoaded = listen
}
