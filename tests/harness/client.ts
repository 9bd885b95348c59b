import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import ws from 'ws'
import type { TestServer } from './server.ts'

/** Creates an official client without a session. */
export function testClient({ url, publishableKey }: Pick<TestServer, 'url' | 'publishableKey'>): SupabaseClient {
  return officialClient(url, publishableKey)
}

/** Creates an official client with one of the server's keys. Gives it a WebSocket, because Node 20 has none. */
export function officialClient(url: string, key: string): SupabaseClient {
  return createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    realtime: { transport: ws as never },
  })
}

/** Signs a new person up. Returns their client, user and session. */
export async function signUpPerson(
  server: Pick<TestServer, 'url' | 'publishableKey'>,
  email: string,
  password = 'correct horse',
) {
  const client = testClient(server)
  const { data, error } = await client.auth.signUp({ email, password })
  if (error || !data.session || !data.user) throw error ?? new Error('sign-up gave no session')
  return { client, user: data.user, session: data.session }
}
