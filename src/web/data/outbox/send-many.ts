import { client } from '../client.ts'
import type { AnyRow } from '../tables.ts'
import type { Answer } from './answer.ts'
import { type Operation, rowsOf } from './operation.ts'
import { ask, presentRows } from './request.ts'

/** What became of an operation on many rows. */
export type SentForMany =
  | { kind: 'removed' }
  /** What is there now of the rows that were changed, or should come back. */
  | { kind: 'changed' | 'restored'; rows: readonly AnyRow[] }
  | Exclude<Answer, { kind: 'applied' } | { kind: 'already-applied' }>

/** Sets the same fields of many rows, in one request; those that are gone are no error. */
export async function sendUpdateAll(operation: Operation): Promise<SentForMany> {
  const ids = rowsOf(operation)
  const request = client().from(operation.table).update(operation.values).eq('brand_id', operation.brandId)
  const answer = await ask(operation, request.in('id', ids).select())
  if (answer.kind === 'applied') return { kind: 'changed', rows: (answer.rows ?? []) as AnyRow[] }
  if (answer.kind !== 'already-applied') return answer
  const present = await presentRows(operation, ids)
  return present.kind === 'applied' ? { kind: 'changed', rows: (present.rows ?? []) as AnyRow[] } : present
}

/** Deletes rows, in one request; those that are gone already are no error. Without their versions: the delete stands (design 2.7). */
export async function sendDelete(operation: Operation): Promise<SentForMany> {
  const request = client().from(operation.table).delete().eq('brand_id', operation.brandId)
  const answer = await ask(operation, request.in('id', rowsOf(operation)))
  return answer.kind === 'applied' || answer.kind === 'already-applied' ? { kind: 'removed' } : answer
}

/** Brings deleted rows back, with their links, and asks for them. */
export async function sendRestore(operation: Operation): Promise<SentForMany> {
  const ids = rowsOf(operation)
  const args = { p_brand_id: operation.brandId, p_table: operation.table, p_ids: ids }
  const answer = await ask(operation, client().rpc('restore_records', args))
  if (answer.kind !== 'applied' && answer.kind !== 'already-applied') return answer
  const present = await presentRows(operation, ids)
  return present.kind === 'applied' ? { kind: 'restored', rows: (present.rows ?? []) as AnyRow[] } : present
}
