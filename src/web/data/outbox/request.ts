import { asUserHeader, client } from '../client.ts'
import type { TableName } from '../tables.ts'
import { type Answer, judgeReply, type Reply } from './answer.ts'
import type { Operation } from './operation.ts'

/** A request of the official client before it is awaited. */
interface Request<Made> {
  setHeader(name: string, value: string): Made
  retry(enabled: boolean): PromiseLike<Reply>
}

/** Sends a request of an operation: with its key, in its user's name, once. */
export async function ask<Made extends Request<Made>>(operation: Operation, request: Made): Promise<Answer> {
  const keyed = request.setHeader('Idempotency-Key', operation.id).setHeader(asUserHeader, operation.userId)
  return judgeReply(await keyed.retry(false), operation.table)
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
export async function presentRows({ userId, brandId, table }: Where, ids: readonly string[]): Promise<Present> {
  const request = client().from(table).select('*').in('id', ids).eq('brand_id', brandId)
  const answer = judgeReply(await request.setHeader(asUserHeader, userId).retry(false), table)
  return answer.kind === 'already-applied' ? { kind: 'wait' } : answer
}

/**
 * Who deleted a record and when, to be said with it; a backend that does not tell is no failure. `isEnded`: the record is only not to be seen,
 * because the session has ended.
 */
export async function deletionOf(
  { userId, brandId, table }: Where,
  rowId: string,
): Promise<{ by: string | null; at: string | null; isEnded: boolean }> {
  const args = { p_brand_id: brandId, p_table: table, p_id: rowId }
  const { data, error } = await client().rpc('record_deletion', args).setHeader(asUserHeader, userId).retry(false)
  const told = data as { by?: string | null; at?: string } | null
  return { by: told?.by ?? null, at: told?.at ?? null, isEnded: error?.code === 'PT401' }
}
