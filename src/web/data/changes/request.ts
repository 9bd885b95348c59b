import { type Device } from '#web/data/browser/device.ts'
import type { SupabaseClient } from '@supabase/supabase-js'
import { askServer } from '#web/data/server/ask-server.ts'
import { isRefusal } from '#web/data/server/is-refusal.ts'
import type { TableName } from '#web/data/server/tables.ts'
import { type Answer, judgeReply, type Reply } from './answer.ts'
import type { Operation } from '#web/data/store/operation.ts'

/** A request of the official client before it is awaited. */
interface Request extends PromiseLike<Reply> {
  setHeader(name: string, value: string): Request
  retry(enabled: boolean): Request
}

/** Sends a request of an operation: with its key, in its user's name, once. */
export async function ask(
  device: Device,
  operation: Operation,
  request: (server: SupabaseClient) => Request,
): Promise<Answer> {
  const keyed = (server: SupabaseClient) => request(server).setHeader('Idempotency-Key', operation.id).retry(false)
  return judgeReply(await askServer(device, keyed, operation.userId), operation.table)
}

export type Present =
  | Extract<Answer, { kind: 'applied' }>
  | Exclude<Answer, { kind: 'applied' } | { kind: 'already-applied' }>

interface Where {
  userId: string
  brandId: string
  table: TableName
}

/** The rows of these ids as the server has them now. */
export async function presentRows(
  device: Device,
  { userId, brandId, table }: Where,
  ids: readonly string[],
): Promise<Present> {
  const reply = await askServer(
    device,
    (server) => server.from(table).select('*').in('id', ids).eq('brand_id', brandId).retry(false),
    userId,
  )
  const answer = judgeReply(reply, table)
  return answer.kind === 'already-applied' ? { kind: 'wait' } : answer
}

/**
 * Who deleted a record and when, to be said with it; a backend that does not tell is no failure. `isEnded`: the record is only not to be seen,
 * because the session has ended.
 */
export async function deletionOf(
  device: Device,
  { userId, brandId, table }: Where,
  rowId: string,
): Promise<{ by: string | null; at: string | null; isEnded: boolean }> {
  const args = { p_brand_id: brandId, p_table: table, p_id: rowId }
  const { data, error } = await askServer(device, (server) => server.rpc('record_deletion', args).retry(false), userId)
  const told = data as { by?: string | null; at?: string } | null
  return { by: told?.by ?? null, at: told?.at ?? null, isEnded: error !== null && isRefusal(error, 'SESSION_ENDED') }
}
