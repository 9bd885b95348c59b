import type { Device } from '#web/data/browser/device.ts'
import type { SupabaseClient } from '@supabase/supabase-js'
import { askServer } from '#web/data/server/ask-server.ts'
import { type Answer, answerOfReply, type Reply } from './answer.ts'
import type { Operation } from '#web/data/store/operation.ts'

/** A request of Supabase's official client before it is awaited. */
interface Request extends PromiseLike<Reply> {
  setHeader(name: string, value: string): Request
  retry(enabled: boolean): Request
}

/** Sends the request of an operation once, in the name of the operation's user and with the operation's key. */
export async function sendRequest(
  device: Device,
  operation: Operation,
  request: (server: SupabaseClient) => Request,
): Promise<Answer> {
  const keyed = (server: SupabaseClient) => request(server).setHeader('Idempotency-Key', operation.id).retry(false)
  return answerOfReply(await askServer(device, keyed, operation.userId), operation.table)
}
