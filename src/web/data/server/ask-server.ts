import type { Device } from '#web/data/browser/device.ts'
import type { SupabaseClient } from '@supabase/supabase-js'
import { loadClient } from './load-client.ts'
import { recordNoAnswer } from './network.ts'
import { asUserHeader } from './session-token.ts'

/** The message that is shown if no answer came. */
export const noAnswerMessage = 'The server does not answer. Check your connection and try again.'

/** The reply if the request could not be sent, in the form of the official client's replies. */
interface NoReply {
  data: null
  count: null
  error: { message: string; code: string; details: string | null }
  status: 0
}

interface HeaderTarget {
  setHeader(name: string, value: string): unknown
}

/**
 * Sends a data request with the official client. If `userId` is given, sends it only if the session is that user's (client.ts). The client's code is
 * loaded with the first request, because the first paint does not need it. If the code cannot be loaded, the reply has status 0, as if no
 * answer came. Never throws.
 */
export async function askServer<Reply>(
  device: Device,
  request: (server: SupabaseClient) => PromiseLike<Reply> & HeaderTarget,
  userId?: string,
): Promise<Reply | NoReply> {
  const server = await loadClient(device).catch((error: unknown) =>
    console.warn('No request can be sent to the server.', error),
  )
  if (!server) {
    recordNoAnswer(device)
    return { data: null, count: null, error: { message: noAnswerMessage, code: '', details: null }, status: 0 }
  }
  const preparedRequest = request(server)
  if (userId !== undefined) preparedRequest.setHeader(asUserHeader, userId)
  return preparedRequest
}
