import type { Device } from '#web/data/browser/device.ts'
import { askServer } from '#web/data/server/ask-server.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import type { Operation } from '#web/data/store/operation.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import { type Answer, answerOfReply, notAllowed } from './answer.ts'
import { judgeUpdate, type Verdict } from './conflict.ts'
import { type PossibleDeletion, readCurrentRows } from './read-current.ts'
import type { OtherChange, SendResult } from './send-result.ts'

/** Reads the row of an operation that the server has applied, and returns the result with this row. */
export async function settledWithRow(device: Device, operation: Operation, rowId: string): Promise<SendResult> {
  const current = await readCurrentRows(device, operation, [rowId])
  if (current.kind !== 'applied') return current
  return { kind: 'settled', rowId, row: current.rows[0], overtakenBy: null, wasReadLater: true }
}

/**
 * Returns the result for a new row that the server has refused. If a unique value exists already (23505), and the server has a row with the id of the
 * new row, an earlier attempt has inserted the row: the answer to that attempt was lost, and the server has removed the idempotency key (after 30
 * days). The result is then this row, otherwise `refusal`.
 */
export async function settledIfInserted(
  device: Device,
  operation: Operation,
  refusal: Extract<Answer, { kind: 'refused' }>,
): Promise<SendResult> {
  if (refusal.code !== '23505') return refusal
  const { table, rowId, brandId, userId } = operation
  const reply = await askServer(
    device,
    (server) => server.from(table).select('*').eq('id', rowId).eq('brand_id', brandId).retry(false),
    userId,
  )
  const answer = answerOfReply(reply, table)
  if (answer.kind === 'wait' || answer.kind === 'session') return answer
  const row = answer.kind === 'applied' ? answer.rows?.[0] : undefined
  return row ? { kind: 'settled', rowId, row, overtakenBy: null, wasReadLater: true } : refusal
}

/**
 * Reads the row and decides how the update continues. `wasSent`: the update was just sent, and the server wrote no row. If the row still has the
 * version for which the update was sent, the user may not write the row, and the result is `notAllowed`.
 */
export async function judgeAgainstServer(device: Device, operation: Operation, wasSent = false): Promise<SendResult> {
  const current = await readCurrentRows(device, operation, [operation.rowId])
  if (current.kind !== 'applied') return current
  const row = current.rows[0]
  const verdict = judgeUpdate(operation, row, (id) => openBrand(device).get()?.recentlyDeleted.has(id) === true)
  switch (verdict.kind) {
    case 'deleted':
      if (wasNeverCreated(operation, current.deletion)) return notCreated
      return { kind: 'deleted-elsewhere', deleted: current.missing, ...(current.deletion ?? { by: null, at: null }) }
    case 'done':
      return { kind: 'settled', rowId: operation.rowId, row, overtakenBy: null }
    case 'overtaken':
      return { kind: 'settled', rowId: operation.rowId, row, overtakenBy: row ? namingOther(operation, row) : null }
    case 'ask':
      return {
        kind: 'conflict',
        conflicts: verdict.conflicts,
        row: verdict.row,
        ...otherChangeOf(operation, verdict.row),
      }
    case 'resend':
      if (wasSent && verdict.version === operation.version) return notAllowed
      return {
        kind: 'resend',
        operation: { ...updateForVerdict(operation, verdict), ...otherChangeOf(operation, row) },
      }
  }
}

/**
 * Returns when a row was changed that is newer than this device has seen, and by whom. With version 0, this device itself may have written the row
 * last. Then this is the other change that the device saw before that write, which `rebaseLaterEdits` has passed on. Both are null if not known.
 */
function otherChangeOf({ userId, version, theirsAt, theirsBy }: Operation, row?: AnyRow): OtherChange {
  if (!row || (version === 0 && row.updated_by === userId)) return { theirsAt, theirsBy }
  return { theirsAt: row.updated_at, theirsBy: row.updated_by }
}

/** Returns the row with the author of the other change in `updated_by`, for the notice about this change. */
function namingOther(operation: Operation, row: AnyRow): AnyRow {
  return { ...row, updated_by: otherChangeOf(operation, row).theirsBy }
}

/**
 * Whether the edit is about the next task of a series that the server never created, because the series ended. This device has shown the task, but
 * has never had its row (version 0), and no delete of it is known.
 */
function wasNeverCreated({ table, version }: Operation, deletion: PossibleDeletion | undefined): boolean {
  return table === 'tasks' && version === 0 && !deletion?.at
}

const notCreated: Extract<Answer, { kind: 'refused' }> = {
  kind: 'refused',
  message: 'This task was not created: the series was ended meanwhile.',
  code: null,
}

function updateForVerdict(
  operation: Operation,
  { version, base, values }: Extract<Verdict, { kind: 'resend' }>,
): Operation {
  return { ...operation, version, base, values, preview: { ...operation.preview, ...values } }
}
