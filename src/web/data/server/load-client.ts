import { type Device } from '#web/data/browser/device.ts'
import { devicePart } from '#web/data/browser/device.ts'
import type { SupabaseClient } from '@supabase/supabase-js'

/** A call waits this long for the client's code. Loading goes on after that, for later calls. */
const loadTimeoutMs = 20_000

declare global {
  /** The end of the address of the client's file. The build adds it: `retriedClient` in vite.config.ts. */
  var clientFileTry: string | undefined
}

interface Loading {
  client?: SupabaseClient
  failures: number
  onLoaded?: (client: SupabaseClient) => void
}

const loading = devicePart((): Loading => ({ failures: 0 }))

/**
 * The one client of this tab. The first call loads its code: 130 kB, 28 compressed. The first paint needs none of it, neither on the
 * sign-in page nor for rows that are on this device. Rejects when the code cannot be loaded or no backend is configured; the next call
 * tries again.
 */
export async function loadClient(device: Device): Promise<SupabaseClient> {
  const state = loading(device)
  if (state.client) return state.client
  const backend = device.readBackend()
  const { makeClient } = await Promise.race([importClient(device), rejectAfterTimeout(device)])
  if (state.client) return state.client
  state.client = makeClient(device, backend)
  state.onLoaded?.(state.client)
  return state.client
}

/** A browser may remember a failed import until the page is closed, so the next attempt uses another address. */
async function importClient(device: Device): Promise<typeof import('./client.ts')> {
  try {
    return await import('./client.ts')
  } catch (error) {
    globalThis.clientFileTry = `?${++loading(device).failures}`
    throw error
  }
}

function rejectAfterTimeout(device: Device): Promise<never> {
  return new Promise((_, reject) => {
    device.clock.setTimeout(() => reject(new Error('The client did not load in time.')), loadTimeoutMs)
  })
}

/** Calls the listener with the client when it is loaded, before anything else uses it; at once if it is loaded already. */
export function onClientLoaded(device: Device, listen: (client: SupabaseClient) => void): void {
  const state = loading(device)
  if (state.client) listen(state.client)
  else state.onLoaded = listen
}
