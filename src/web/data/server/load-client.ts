import { type Device } from '#web/data/browser/device.ts'
import { devicePart } from '#web/data/browser/device.ts'
import type { SupabaseClient } from '@supabase/supabase-js'

/** The client's code is given up after this time, in milliseconds; it goes on loading, and a later call finds it. */
const loadTimeoutMs = 20_000

declare global {
  /** What the address of the client's file ends with. The build puts it there: `retriedClient` in vite.config.ts. */
  var clientFileTry: string | undefined
}

interface Loading {
  made?: SupabaseClient
  tries: number
  onLoaded?: (client: SupabaseClient) => void
}

const loading = devicePart((): Loading => ({ tries: 0 }))

/**
 * The one client of this tab. Its 130 kB (28 on the way) come when it is first asked for: no first look needs it, neither the sign-in
 * page nor rows that are on this device. Rejects when they cannot be fetched, or no backend is configured; the next call tries again.
 */
export async function loadClient(device: Device): Promise<SupabaseClient> {
  const state = loading(device)
  if (state.made) return state.made
  const backend = device.readBackend()
  const { makeClient } = await Promise.race([importClient(device), tooLate(device)])
  if (state.made) return state.made
  state.made = makeClient(device, backend)
  state.onLoaded?.(state.made)
  return state.made
}

/** Browsers may keep a file that did not come for failed as long as the page lives: the next try is for another address. */
async function importClient(device: Device): Promise<typeof import('./client.ts')> {
  try {
    return await import('./client.ts')
  } catch (error) {
    globalThis.clientFileTry = `?${++loading(device).tries}`
    throw error
  }
}

function tooLate(device: Device): Promise<never> {
  return new Promise((_, reject) => {
    device.clock.setTimeout(() => reject(new Error('The client did not load in time.')), loadTimeoutMs)
  })
}

/** Has the client handed over when it is first there, before anybody uses it; at once where it is there already. */
export function onClientLoaded(device: Device, listen: (client: SupabaseClient) => void): void {
  const state = loading(device)
  if (state.made) listen(state.made)
  else state.onLoaded = listen
}
