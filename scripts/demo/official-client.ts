import type { SupabaseClient } from '@supabase/supabase-js'
import WebSocket from 'ws'

/**
 * Loads the official client and returns a function that creates clients without a stored session. The package prints a
 * notice about Node 20 when it is loaded. The notice is suppressed, because the README already recommends Node 24.
 */
export async function loadOfficialClient(url: string, key: string): Promise<() => SupabaseClient> {
  const { warn } = console
  console.warn = (first: unknown, ...more: unknown[]) => {
    if (!String(first).includes('Node.js 20 and below are deprecated')) warn(first, ...more)
  }
  const { createClient } = await import('@supabase/supabase-js').finally(() => {
    console.warn = warn
  })
  return () =>
    createClient(url, key, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: WebSocket as never },
    })
}
