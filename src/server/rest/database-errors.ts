import { HttpError, refusal } from '#server/http/errors.ts'
import { notSinglePrefix, tooManyAffectedPrefix } from './build-sql.ts'
import { tooLargePrefix } from './sql-json.ts'

/** An error of PostgreSQL, as the package pg throws it. */
export interface DatabaseError extends Error {
  code: string
  detail?: string
  hint?: string
  /** The function of PostgreSQL's source code that reported the error. Unlike the texts, it does not depend on `lc_messages`. */
  routine?: string
}

/** Whether the error comes from PostgreSQL and therefore has an SQLSTATE. The error of a lost connection has none. */
export function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && sqlstatePattern.test(error.code)
}

/** The SQLSTATE of a statement whose temporary files have reached `temp_file_limit`. */
const tempFileLimitSqlstate = '53400'
const sqlstatePattern = /^[0-9A-Z]{5}$/

/**
 * Converts PostgreSQL's error into PostgREST's format (docs/supabase-protocol.md, section 3): its code, message, details and
 * hint, with a status by error class.
 * - A fault of the request for which PostgREST returns 500 becomes 400.
 * - A temporary error becomes 503 with Retry-After: nothing was written, and the app sends the edit again. Temporary errors are a
 *   deadlock, a lock, a shutdown, and errors of the operating system (class 58), such as a missing file while an update replaces
 *   PostgreSQL's programs.
 * - A missing right becomes 401 if the caller has the role anon (`isAnonymous`), otherwise 403.
 *
 * Responses with 5xx reveal nothing internal, unless an SQL function has set the status (`PTnnn`).
 */
export function refusalOf(error: DatabaseError, isAnonymous: boolean): HttpError {
  const { code, message } = error
  if (code === '22P02') {
    const checkRefusal = refusalOfCheck(message)
    if (checkRefusal) return checkRefusal
  }
  if (code === tempFileLimitSqlstate)
    return new HttpError(413, code, 'Too much would have to be sorted. Add filters, or select fewer columns')
  const status = statusOf(code, message, isAnonymous)
  if (status < 500 || code.startsWith('PT')) {
    return new HttpError(status, code, message, { details: detailOf(error), hint: error.hint ?? null })
  }
  if (status === 503) return refusal('unavailable', { headers: { 'Retry-After': '1' } })
  if (status === 504) return new HttpError(504, code, 'The statement took too long and was stopped')
  return new HttpError(status, code, 'The database could not answer this request')
}

/**
 * The SQLSTATEs of a missing value and of a broken check. PostgreSQL's details of such an error contain the whole row, with columns
 * that the caller may not read if a function with its owner's rights has written the row. So these details are left out, except
 * those of a `raise` in an SQL function, whose text this product has chosen.
 */
const sqlstatesWithRow = new Set(['23502', '23514'])
const routineOfRaise = 'exec_stmt_raise'

function detailOf({ code, detail, routine }: DatabaseError): string | null {
  return sqlstatesWithRow.has(code) && routine !== routineOfRaise ? null : (detail ?? null)
}

function statusOf(code: string, message: string, isAnonymous: boolean): number {
  if (code.startsWith('PT')) return raisedStatus(code)
  const knownStatus = statusByCode.get(code)
  if (knownStatus !== undefined) return knownStatus
  if (code === '42501') return isAnonymous ? 401 : 403
  if (code === '42883') return message.startsWith('function xmlagg(') ? 406 : 404
  return statusByClass.get(code.slice(0, 2)) ?? 400
}

/** Returns the status that an SQL function has set: `raise … using errcode = 'PT409'` means 409. */
function raisedStatus(code: string): number {
  const status = Number(code.slice(2))
  return Number.isInteger(status) && status >= 400 && status <= 599 ? status : 500
}

/**
 * A statement counts its own rows or bytes, and fails with a message that contains `notSinglePrefix`, `tooManyAffectedPrefix`
 * or `tooLargePrefix` and the number, in the quotation marks of the language that `lc_messages` sets. Returns the refusal for such
 * a message, null for any other.
 */
function refusalOfCheck(message: string): HttpError | null {
  const match = /[^\p{L}\p{N}](pgrst(?:116|124|413) (?:rows|bytes): )(\d+)[^\p{L}\p{N}]+$/u.exec(message)
  if (match?.[1] === notSinglePrefix) return notSingleObject(Number(match[2]))
  if (match?.[1] === tooManyAffectedPrefix)
    return refusal('PGRST124', { details: `The query affects ${match[2]} rows` })
  if (match?.[1] === tooLargePrefix) return refusal('answer_too_large')
  return null
}

/** Returns the refusal 406 PGRST116 for a request of a single object. `rows` is the number of found rows, which is not one. */
export function notSingleObject(rows: number): HttpError {
  return refusal('PGRST116', { details: `The result contains ${rows} rows` })
}

const statusByCode = new Map([
  ['23503', 409],
  ['23505', 409],
  ['25006', 405],
  ['42P01', 404],
  ['42P17', 500],
  ['55P03', 503],
  ['57014', 504],
  ['P0001', 400],
])

const statusByClass = new Map([
  ['08', 503],
  ['09', 500],
  ['0L', 403],
  ['0P', 403],
  ['25', 500],
  ['28', 403],
  ['2D', 500],
  ['38', 500],
  ['39', 500],
  ['3B', 500],
  ['40', 503],
  ['53', 503],
  ['54', 413],
  ['57', 503],
  ['58', 503],
  ['F0', 500],
  ['HV', 500],
  ['P0', 500],
  ['XX', 500],
])
