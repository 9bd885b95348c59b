import { type Device } from '#web/data/browser/device.ts'
import type { SupabaseClient } from '@supabase/supabase-js'
import { loadClient } from './load-client.ts'
import { noteSilence } from './network.ts'
import { asUserHeader } from './session-token.ts'

/** What is said where no answer came. */
export const noAnswer = 'The server does not answer. Check your connection and try again.'

/** The reply where none came, in the shape of the official client's own. */
interface Silence {
  data: null
  count: null
  error: { message: string; code: string; details: string | null }
  status: 0
}

interface Headed {
  setHeader(name: string, value: string): unknown
}

/**
 * Makes a data request with the official client, in the name of a user where one is given. The client's code comes with the first request,
 * as no first look needs it; where it cannot be fetched, the reply is that of a server that does not answer (status 0). Never throws.
 */
export async function askServer<Reply>(
  device: Device,
  request: (server: SupabaseClient) => PromiseLike<Reply> & Headed,
  userId?: string,
): Promise<Reply | Silence> {
  const server = await loadClient(device).catch((error: unknown) => console.warn('The server cannot be asked.', error))
  if (!server) {
    noteSilence(device)
    return { data: null, count: null, error: { message: noAnswer, code: '', details: null }, status: 0 }
  }
  const made = request(server)
  if (userId !== undefined) made.setHeader(asUserHeader, userId)
  return made
}
