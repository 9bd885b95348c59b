import { valuesToSend } from '#web/data/store/row-fields.ts'
import type { Device } from '#web/data/browser/device.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import type { DeletedVersions } from '#web/data/store/deletions.ts'
import { importRetryable } from '#web/data/server/import-retryable.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import { type Answer, notAllowed } from './answer.ts'
import { judgeUpdate, type Verdict } from './conflict.ts'
import type { FieldConflict, Operation } from '#web/data/store/operation.ts'
import { readCurrentRows } from './read-current.ts'
import { sendRequest } from './request.ts'
import type { SendManyResult } from './send-many.ts'

/** The result of an attempt to send an operation. */
export type SendResult =
  /**
   * The server has applied the operation. `row`: the server row, or undefined if it was deleted since. `rowId`: the id of the row on the
   * server. `overtakenBy`: the row of a colleague whose later value stays. `wasReadLater`: the row was read after the write, so that others may
   * have changed it since.
   */
  | { kind: 'settled'; rowId: string; row: AnyRow | undefined; overtakenBy: AnyRow | null; wasReadLater?: true }
  /** The row's version is now known, or has changed. `operation` is the update for that version, to be sent next. */
  | { kind: 'resend'; operation: Operation }
  /** Somebody else changed the same fields, so the user has to decide. `row` is the server row. */
  | { kind: 'conflict'; conflicts: readonly FieldConflict[]; row: AnyRow }
  /** The record in `deleted` was deleted. `by` and `at` are null if the server does not return them. */
  | { kind: 'deleted'; deleted: DeletedVersions; by: string | null; at: string | null }
  | SendManyResult

/**
 * Sends an operation once, with its key. If the answer does not contain the row, reads the row. An update with version 0 is not sent: its row is
 * only read and compared. Never throws.
 */
export async function send(device: Device, operation: Operation): Promise<SendResult> {
  // Version 0: the version is not known (after a call or a restore), or the row has to be compared first (`rebaseLater`). So the row is read.
  if (operation.kind === 'update' && operation.version === 0) return judgeAgainstServer(device, operation)
  if (operation.kind === 'update-all' || operation.kind === 'delete' || operation.kind === 'restore')
    return importRetryable(() => import('./send-many.ts')).then(
      ({ sendForMany }) => sendForMany(device, operation),
      () => ({ kind: 'wait' }),
    )
  const answer = await attempt(device, operation)
  if (answer.kind === 'already-applied') return settledWithRow(device, operation, answer.rowId ?? operation.rowId)
  if (answer.kind !== 'applied') return answer
  if (operation.kind === 'call')
    return settledWithRow(device, operation, typeof answer.value === 'string' ? answer.value : operation.rowId)
  const row = answer.rows?.[0]
  if (row) return { kind: 'settled', rowId: row.id, row, overtakenBy: null }
  return operation.kind === 'update'
    ? judgeAgainstServer(device, operation, true)
    : settledWithRow(device, operation, operation.rowId)
}

function attempt(device: Device, operation: Operation): Promise<Answer> {
  const { table, values, rowId, brandId, version } = operation
  if (operation.kind === 'call') {
    const { name, args } = operation.call ?? { name: '', args: {} }
    return sendRequest(device, operation, (server) => server.rpc(name, args))
  }
  if (operation.kind === 'insert')
    return sendRequest(device, operation, (server) => server.from(table).insert(valuesToSend(values)).select())
  return sendRequest(device, operation, (server) =>
    server
      .from(table)
      .update(valuesToSend(values))
      .eq('id', rowId)
      .eq('brand_id', brandId)
      .eq('version', version)
      .select(),
  )
}

async function settledWithRow(device: Device, operation: Operation, rowId: string): Promise<SendResult> {
  const present = await readCurrentRows(device, operation, [rowId])
  if (present.kind !== 'applied') return present
  return { kind: 'settled', rowId, row: present.rows[0], overtakenBy: null, wasReadLater: true }
}

/**
 * Reads the row and decides how the update continues. `wasSent`: the update was just sent, and the server wrote no row. If the
 * row still has the version that the update was sent for, the user may not write the row.
 */
async function judgeAgainstServer(device: Device, operation: Operation, wasSent = false): Promise<SendResult> {
  const present = await readCurrentRows(device, operation, [operation.rowId])
  if (present.kind !== 'applied') return present
  const row = present.rows[0]
  const verdict = judgeUpdate(operation, row, (id) => openBrand(device).get()?.recentlyDeleted.has(id) === true)
  switch (verdict.kind) {
    case 'deleted':
      return { kind: 'deleted', deleted: present.missing, ...(present.deletion ?? { by: null, at: null }) }
    case 'done':
      return { kind: 'settled', rowId: operation.rowId, row, overtakenBy: null }
    case 'overtaken':
      return { kind: 'settled', rowId: operation.rowId, row, overtakenBy: row ?? null }
    case 'ask':
      return { kind: 'conflict', conflicts: verdict.conflicts, row: verdict.row }
    case 'resend':
      if (wasSent && verdict.version === operation.version) return notAllowed
      return { kind: 'resend', operation: updateForVerdict(operation, verdict) }
  }
}

function updateForVerdict(
  operation: Operation,
  { version, base, values }: Extract<Verdict, { kind: 'resend' }>,
): Operation {
  return { ...operation, version, base, values, preview: { ...operation.preview, ...values } }
}
