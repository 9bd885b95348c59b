import { isTemporaryStatus } from '#web/data/server/temporary-status.ts'
import { type AnyRow, rowsIn } from '#web/data/server/tables.ts'
import { textOf } from '#web/lib/read-unknown.ts'

/** The meaning of the server's answer to an operation (docs/offline.md). */
export type Answer =
  /** The server has applied it; `rows` are the rows of the answer. */
  | { kind: 'applied'; rows: readonly AnyRow[] | null; value: unknown }
  /**
   * PT409: the server had already applied an earlier attempt, whose answer was lost. `rowId` is the recorded id. Null if the answer does
   * not contain it.
   */
  | { kind: 'already-applied'; rowId: string | null }
  /** No answer, or a temporary status: the operation is sent again. */
  | { kind: 'wait' }
  /** The session has to be renewed, or the user has to sign in. */
  | { kind: 'session'; code: string | null }
  /** The server refused the operation (spec section 8), with a message, and a code or null. */
  | { kind: 'refused'; message: string; code: string | null }

/** A reply of the official client. */
export interface Reply {
  status: number
  data: unknown
  error: { message: string; code?: string; details?: string | null } | null
}

/**
 * Returns the meaning of a reply to an operation on `table`. A status of 500 or more is a refusal only with a code, because only the
 * database sends one.
 */
export function judgeReply({ status, data, error }: Reply, table: string): Answer {
  if (!error) return { kind: 'applied', rows: Array.isArray(data) ? rowsIn(data) : null, value: data }
  if (error.code === 'PT409') return { kind: 'already-applied', rowId: recordedId(error.details, table) }
  if (isTemporaryStatus(status)) return { kind: 'wait' }
  if (status === 401) return { kind: 'session', code: error.code || null }
  if (status >= 500 && !error.code) return { kind: 'wait' }
  return { kind: 'refused', message: error.message || 'The server refused this change.', code: error.code || null }
}

/**
 * Returns the id in the details of PT409: JSON `{"table": …, "id": …}` of the row that was written last. Null if that row is of another
 * table.
 */
function recordedId(details: string | null | undefined, table: string): string | null {
  try {
    const written: unknown = JSON.parse(details ?? 'null')
    return textOf(written, 'table') === table ? textOf(written, 'id') : null
  } catch {
    return null
  }
}
