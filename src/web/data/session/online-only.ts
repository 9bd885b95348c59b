import type { Device } from '#web/data/browser/device.ts'
import type { SupabaseClient } from '@supabase/supabase-js'
import { askServer, noAnswerMessage } from '#web/data/server/ask-server.ts'
import type { Outcome } from './outcome.ts'
import { refusalCodes } from '#shared/refusal-codes.ts'
import { handleUnauthorized } from '#web/data/server/rpc.ts'
import { sessionState } from './session.ts'

interface Reply {
  data: unknown
  error: { message: string; code: string } | null
  status: number
}

/** A request of the official client that is not awaited yet, so that headers can be added. */
interface Request extends PromiseLike<Reply> {
  setHeader(name: string, value: string): PromiseLike<Reply>
}

/**
 * Sends a change that is never queued, for example of the brand's members. `id` is the id of the outcome. Without an answer, the change is
 * refused. With `answerKind` 'rows', an answer without rows means that the server wrote nothing, and the change is refused with NOT_AUTHORIZED.
 * `onAnswer` gets the data of a successful answer.
 */
export async function changeOnline(
  device: Device,
  id: string,
  request: (server: SupabaseClient) => Request,
  answerKind: 'rows' | 'call' = 'rows',
  onAnswer?: (data: unknown) => void,
): Promise<Outcome> {
  const userId = sessionState(device).get().session?.userId ?? ''
  const { data, error, status } = await askServer(device, request, userId)
  if (error) {
    if (status === 401) await handleUnauthorized(device, error.code || null)
    return { status: 'refused', message: status === 0 ? noAnswerMessage : error.message, code: error.code || null }
  }
  if (answerKind === 'rows' && Array.isArray(data) && data.length === 0)
    return { status: 'refused', message: 'NOT_AUTHORIZED', code: refusalCodes.NOT_AUTHORIZED }
  onAnswer?.(data)
  return { status: 'saved', id }
}
