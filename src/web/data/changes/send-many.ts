import { type Device } from '#web/data/browser/device.ts'
import { serverNow } from '#web/data/server/network.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import type { Answer } from './answer.ts'
import { isOvertaken } from './conflict.ts'
import { type Operation, rowsOf } from '#web/data/store/operation.ts'
import { ask, deletionOf, presentRows } from './request.ts'

/** What became of an operation on many rows. */
export type SentForMany =
  /** `changedBefore`: rows that somebody else had changed since they were last seen here. */
  | { kind: 'removed'; changedBefore: readonly AnyRow[] }
  /** What is there now of the rows; those that somebody changed after us stay theirs. Who deleted the first that is gone, and when. */
  | {
      kind: 'changed'
      rows: readonly AnyRow[]
      overtakenBy: readonly AnyRow[]
      goneBy: string | null
      goneAt: string | null
    }
  /** What is there now of the rows that should come back. */
  | { kind: 'restored'; rows: readonly AnyRow[] }
  | Exclude<Answer, { kind: 'applied' } | { kind: 'already-applied' }>

/** An operation that is sent later than this after it was made, in milliseconds, looks first what others did meanwhile. */
const freshFor = 5000

/**
 * Sets the same fields of many rows, in one request, those that are still there. What has waited looks first: where somebody changed the
 * same fields later than we did, theirs stands.
 */
export async function sendUpdateAll(device: Device, operation: Operation): Promise<SentForMany> {
  const overtakenBy: AnyRow[] = []
  const isFresh = operation.awaited && Date.parse(serverNow(device)) - Date.parse(operation.at) < freshFor
  if (!isFresh) {
    const present = await presentRows(device, operation, rowsOf(operation))
    if (present.kind !== 'applied') return present
    for (const row of (present.rows ?? []) as AnyRow[]) if (isOvertaken(operation, row)) overtakenBy.push(row)
  }
  const theirs = new Set(overtakenBy.map((row) => row.id))
  const ids = rowsOf(operation).filter((id) => !theirs.has(id))
  const answer = await setAll(device, operation, ids)
  if (answer.kind !== 'applied') return answer
  const rows = [...answer.rows, ...overtakenBy]
  const here = new Set(rows.map((row) => row.id))
  const gone = rowsOf(operation).find((id) => !here.has(id))
  const { by: goneBy, at: goneAt } = gone ? await deletionOf(device, operation, gone) : { by: null, at: null }
  return { kind: 'changed', rows, overtakenBy, goneBy, goneAt }
}

async function setAll(device: Device, operation: Operation, ids: readonly string[]) {
  if (ids.length === 0) return { kind: 'applied', rows: [] } as const
  const { table, values, brandId } = operation
  let answer = await ask(device, operation, (server) =>
    server.from(table).update(values).eq('brand_id', brandId).in('id', ids).select(),
  )
  if (answer.kind === 'already-applied') answer = await presentRows(device, operation, ids)
  return answer.kind === 'applied' ? ({ kind: 'applied', rows: (answer.rows ?? []) as AnyRow[] } as const) : answer
}

/** Deletes rows, in one request; those that are gone already are no error. Without their versions: the delete stands (design 2.7). */
export async function sendDelete(device: Device, operation: Operation): Promise<SentForMany> {
  const { table, brandId } = operation
  const answer = await ask(device, operation, (server) =>
    server.from(table).delete().eq('brand_id', brandId).in('id', rowsOf(operation)).select(),
  )
  if (answer.kind === 'already-applied') return { kind: 'removed', changedBefore: [] }
  if (answer.kind !== 'applied') return answer
  const rows = (answer.rows ?? []) as AnyRow[]
  return { kind: 'removed', changedBefore: rows.filter((row) => wasChanged(operation, row)) }
}

function wasChanged({ bases, userId }: Operation, row: AnyRow): boolean {
  const version = bases?.[row.id]?.version
  return typeof version === 'number' && row.version > version && row.updated_by !== userId
}

/** Brings deleted rows back, with their links, and asks for them. */
export async function sendRestore(device: Device, operation: Operation): Promise<SentForMany> {
  const ids = rowsOf(operation)
  const args = { p_brand_id: operation.brandId, p_table: operation.table, p_ids: ids }
  const answer = await ask(device, operation, (server) => server.rpc('restore_records', args))
  if (answer.kind !== 'applied' && answer.kind !== 'already-applied') return answer
  const present = await presentRows(device, operation, ids)
  return present.kind === 'applied' ? { kind: 'restored', rows: (present.rows ?? []) as AnyRow[] } : present
}
