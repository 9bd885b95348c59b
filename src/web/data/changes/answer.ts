import { isTemporaryStatus } from '#web/data/server/temporary-status.ts'
import { type AnyRow, rowsIn } from '#web/data/server/tables.ts'
import { textOf } from '#web/lib/read-unknown.ts'

/** The answer to an operation: what the server's response means (docs/offline.md). */
export type Answer =
  /** The server has applied the operation. `value` is the body of the answer. `rows` are the rows in the body, or null if the body is not a list. */
  | { kind: 'applied'; rows: readonly AnyRow[] | null; value: unknown }
  /**
   * PT409: the server had already applied an earlier attempt, whose answer was lost. `rowId` is the id of the row that the earlier attempt wrote.
   * Null if the answer does not contain the id.
   */
  | { kind: 'already-applied'; rowId: string | null }
  /** The server did not answer, or answered with a temporary status. The operation is sent again. */
  | { kind: 'wait' }
  /** The session has to be renewed, or the user has to sign in. */
  | { kind: 'session'; code: string | null }
  /** The server refused the operation (spec section 8), with a message, and a code or null. */
  | { kind: 'refused'; message: string; code: string | null }

/**
 * The refusal of a write to rows that the user may read but not write. Row-level security then hides these rows from the write, so PostgreSQL writes
 * nothing and reports no error. 42501 is PostgreSQL's code for a missing privilege.
 */
export const notAllowed: Extract<Answer, { kind: 'refused' }> = {
  kind: 'refused',
  message: 'You may not do this.',
  code: '42501',
}

/** A reply of the server, in the form in which Supabase's official client returns it. */
export interface Reply {
  status: number
  data: unknown
  error: { message: string; code?: string; details?: string | null } | null
}

/**
 * Returns what a reply to an operation on `table` means. A status of 500 or more is a refusal only if the reply has a code, because only
 * the database sends codes.
 */
export function answerOfReply({ status, data, error }: Reply, table: string): Answer {
  if (!error) return { kind: 'applied', rows: Array.isArray(data) ? rowsIn(data) : null, value: data }
  if (error.code === 'PT409') return { kind: 'already-applied', rowId: recordedId(error.details, table) }
  if (isTemporaryStatus(status)) return { kind: 'wait' }
  if (status === 401) return { kind: 'session', code: error.code || null }
  if (status >= 500 && !error.code) return { kind: 'wait' }
  return { kind: 'refused', message: error.message || 'The server refused this change.', code: error.code || null }
}

/**
 * Reads the details of PT409 (JSON: `{"table": …, "id": …}`), which name the last row that the earlier attempt wrote. Returns the id of this
 * row. Null if the row is in another table, or if the details cannot be read.
 */
function recordedId(details: string | null | undefined, table: string): string | null {
  try {
    const written: unknown = JSON.parse(details ?? 'null')
    return textOf(written, 'table') === table ? textOf(written, 'id') : null
  } catch {
    return null
  }
}
