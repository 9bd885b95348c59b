import { asUserHeader, client } from '../client.ts'
import type { AnyRow, TableName } from '../tables.ts'
import { type Answer, judgeReply } from './answer.ts'
import { judgeUpdate } from './conflict.ts'
import type { FieldConflict, Operation } from './operation.ts'

/** What became of one attempt to send an operation. */
export type Sent =
  /** The server has it; `row` is the row as it is there now, undefined when it has gone since. `rowId` is its id there. */
  | { kind: 'settled'; rowId: string; row: AnyRow | undefined; overtakenBy: AnyRow | null }
  | { kind: 'resend'; operation: Operation }
  | { kind: 'conflict'; conflicts: readonly FieldConflict[]; row: AnyRow }
  | { kind: 'deleted' }
  | Exclude<Answer, { kind: 'applied' } | { kind: 'already-applied' }>

/** Sends one operation, once, with its key; asks for the row where the answer does not bring it. Never throws. */
export async function send(operation: Operation): Promise<Sent> {
  // Made before the server's version was known (after a call, or an answer that was lost): ask for it first.
  if (operation.kind === 'update' && operation.version === 0) return judgeAgainstServer(operation)
  const answer = judgeReply(await attempt(operation), operation.table)
  if (answer.kind === 'already-applied') return settle(operation, answer.rowId ?? operation.rowId)
  if (answer.kind !== 'applied') return answer
  if (operation.kind === 'call')
    return settle(operation, typeof answer.value === 'string' ? answer.value : operation.rowId)
  const row = answer.rows?.[0] as AnyRow | undefined
  if (row) return { kind: 'settled', rowId: row.id, row, overtakenBy: null }
  return operation.kind === 'update' ? judgeAgainstServer(operation) : settle(operation, operation.rowId)
}

function attempt(operation: Operation) {
  const headers = { key: 'Idempotency-Key', value: operation.id }
  const from = client().from(operation.table)
  if (operation.kind === 'call') {
    const { name, args } = operation.call ?? { name: '', args: {} }
    return client()
      .rpc(name, args)
      .setHeader(headers.key, headers.value)
      .setHeader(asUserHeader, operation.userId)
      .retry(false)
  }
  const request =
    operation.kind === 'insert'
      ? from.insert(operation.values).select()
      : from
          .update(operation.values)
          .eq('id', operation.rowId)
          .eq('brand_id', operation.brandId)
          .eq('version', operation.version)
          .select()
  return request.setHeader(headers.key, headers.value).setHeader(asUserHeader, operation.userId).retry(false)
}

async function settle(operation: Operation, rowId: string): Promise<Sent> {
  const present = await presentRow(operation.userId, operation.brandId, operation.table, rowId)
  if (present.kind !== 'applied') return present
  return { kind: 'settled', rowId, row: present.rows?.[0] as AnyRow | undefined, overtakenBy: null }
}

async function judgeAgainstServer(operation: Operation): Promise<Sent> {
  const present = await presentRow(operation.userId, operation.brandId, operation.table, operation.rowId)
  if (present.kind !== 'applied') return present
  const row = present.rows?.[0] as AnyRow | undefined
  const verdict = judgeUpdate(operation, row)
  switch (verdict.kind) {
    case 'deleted':
      return { kind: 'deleted' }
    case 'done':
      return { kind: 'settled', rowId: operation.rowId, row, overtakenBy: null }
    case 'overtaken':
      return { kind: 'settled', rowId: operation.rowId, row, overtakenBy: row ?? null }
    case 'ask':
      return { kind: 'conflict', conflicts: verdict.conflicts, row: row as AnyRow }
    case 'resend':
      return { kind: 'resend', operation: { ...operation, version: verdict.version, base: verdict.base } }
  }
}

type Present = Extract<Answer, { kind: 'applied' }> | Exclude<Answer, { kind: 'applied' } | { kind: 'already-applied' }>

/** The row as the server has it now. */
async function presentRow(userId: string, brandId: string, table: TableName, rowId: string): Promise<Present> {
  const reply = await client()
    .from(table)
    .select('*')
    .eq('id', rowId)
    .eq('brand_id', brandId)
    .setHeader(asUserHeader, userId)
    .retry(false)
  const answer = judgeReply(reply, table)
  return answer.kind === 'already-applied' ? { kind: 'wait' } : answer
}
