import type { SupabaseClient } from '@supabase/supabase-js'
import { sessionIdOf } from '#web/data/server/session-token.ts'

type Auth = SupabaseClient['auth']

/**
 * Calls `start`, which may replace the session of this device by a new one. If it does, ends the earlier session on the server, because this
 * device no longer has its token and could not end it later. Returns the reply of `start`. Does not wait until the earlier session has ended.
 */
export async function replaceSession<Reply extends { data: { session: { access_token: string } | null } }>(
  auth: Auth,
  start: () => Promise<Reply>,
): Promise<Reply> {
  const earlierToken = (await auth.getSession()).data.session?.access_token
  const reply = await start()
  const newToken = reply.data.session?.access_token
  if (earlierToken && newToken && sessionIdOf(earlierToken) !== sessionIdOf(newToken)) {
    auth.admin
      .signOut(earlierToken, 'local')
      .catch((error: unknown) => console.warn('The earlier session was not ended.', error))
  }
  return reply
}
