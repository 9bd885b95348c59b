import type { Device } from '#web/data/browser/device.ts'
import type { SupabaseClient } from '@supabase/supabase-js'
import { noAnswerMessage } from '#web/data/server/ask-server.ts'
import { loadClient } from '#web/data/server/load-client.ts'
import type { AuthOutcome } from './session.ts'

/** The outcome of a call that did not succeed: refused, cancelled by the person, or without an answer (then `code` is null). */
export type AuthRefusal = AuthOutcome & { ok: false }

/** The outcome of a call that got no answer. */
export const noAnswerRefusal: AuthRefusal = { ok: false, message: noAnswerMessage, code: null }

/** Calls the auth part of the official client. Returns `noAnswerRefusal` if the client's code cannot be loaded. */
export async function authCall<T>(
  device: Device,
  call: (auth: SupabaseClient['auth']) => Promise<T>,
): Promise<T | AuthRefusal> {
  const client = await loadClient(device).catch(() => null)
  return client ? call(client.auth) : noAnswerRefusal
}
