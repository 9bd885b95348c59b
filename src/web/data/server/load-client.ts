import type { SupabaseClient } from '@supabase/supabase-js'
import { readConfig } from './config.ts'

/** The client's code is given up after this time, in milliseconds; it goes on loading, and a later call finds it. */
const loadTimeoutMs = 20_000

declare global {
  /** What the address of the client's file ends with. The build puts it there: `retriedClient` in vite.config.ts. */
  var clientFileTry: string | undefined
}

let made: SupabaseClient | undefined
let tries = 0
let onLoaded: ((client: SupabaseClient) => void) | undefined

/**
 * The one client of this tab. Its 130 kB (28 on the way) come when it is first asked for: no first look needs it, neither the sign-in
 * page nor rows that are on this device. Rejects when they cannot be fetched, or no backend is configured; the next call tries again.
 */
export async function loadClient(): Promise<SupabaseClient> {
  if (made) return made
  const backend = readConfig()
  const { makeClient } = await Promise.race([importClient(), tooLate()])
  if (made) return made
  made = makeClient(backend)
  onLoaded?.(made)
  return made
}

/** Browsers may keep a file that did not come for failed as long as the page lives: the next try is for another address. */
async function importClient(): Promise<typeof import('./client.ts')> {
  try {
    return await import('./client.ts')
  } catch (error) {
    globalThis.clientFileTry = `?${++tries}`
    throw error
  }
}

function tooLate(): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(() => reject(new Error('The client did not load in time.')), loadTimeoutMs)
    ;(timer as { unref?: () => void }).unref?.()
  })
}

/** Has the client handed over when it is first there, before anybody uses it; at once where it is there already. */
export function onClientLoaded(listen: (client: SupabaseClient) => void): void {
  if (made) listen(made)
  else onLoaded = listen
}
