import type { SupabaseClient } from '@supabase/supabase-js'

/**
 * The client of this tab for what is on screen before it is needed (sign-in, guards, the list of brands): its 50 kB come when
 * they are asked for, not before the first paint. Rejects when they cannot be fetched.
 */
export async function loadClient(): Promise<SupabaseClient> {
  const { client } = await import('./client.ts')
  return client()
}
