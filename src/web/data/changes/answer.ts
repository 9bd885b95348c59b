import { isPassingStatus } from '#web/data/server/passing.ts'

/** What the server's answer to an operation means (design 2.7, "Answers"). */
export type Answer =
  /** Applied; `rows` is what came back with it. */
  | { kind: 'applied'; rows: readonly unknown[] | null; value: unknown }
  /** PT409: an earlier attempt had been applied, its answer was lost. `rowId` is the id that the server recorded, if it told. */
  | { kind: 'already-applied'; rowId: string | null }
  /** No answer, or one that says "later": the same is sent again. */
  | { kind: 'wait' }
  /** The session has to be refreshed, or somebody has to sign in. */
  | { kind: 'session'; code: string | null }
  /** A failure as in spec section 8: message of the server, its code or null. */
  | { kind: 'refused'; message: string; code: string | null }

/** What the official client makes of a response. */
export interface Reply {
  status: number
  data: unknown
  error: { message: string; code?: string; details?: string | null } | null
}

/** Judges a reply of the client to an operation on `table`. A 500 is a refusal only where it has an error body (a code): then the database said no. */
export function judgeReply({ status, data, error }: Reply, table: string): Answer {
  if (!error) return { kind: 'applied', rows: Array.isArray(data) ? data : null, value: data }
  if (error.code === 'PT409') return { kind: 'already-applied', rowId: recordedId(error.details, table) }
  if (isPassingStatus(status)) return { kind: 'wait' }
  if (status === 401) return { kind: 'session', code: error.code || null }
  if (status >= 500 && !error.code) return { kind: 'wait' }
  return { kind: 'refused', message: error.message || 'The server refused this change.', code: error.code || null }
}

/** The row of this table in the details of PT409: JSON `[{"table": …, "id": …}]`, one for each row that the operation wrote. */
function recordedId(details: string | null | undefined, table: string): string | null {
  try {
    const told = JSON.parse(details ?? '[]') as { table?: unknown; id?: unknown }[]
    const id = told.find((row) => row.table === table)?.id
    return typeof id === 'string' ? id : null
  } catch {
    return null
  }
}
