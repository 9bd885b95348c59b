import type { StatementResult } from '#server/db/as-caller.ts'
import { type HttpError, refusal } from '#server/http/errors.ts'
import type { HttpResponse } from '#server/http/exchange.ts'
import { notSingleObject } from './database-errors.ts'
import type { AcceptedFormat, Preferences } from './request.ts'

/** The result of a request's statement. */
export interface RestResult {
  body: string | Buffer | null
  /** Number of rows in the body, or of written rows. */
  rowCount: number
  /** Number of all matching rows. Null if they were not counted. */
  total: number | null
  /** Number of rows that an upsert inserted. Null for other requests. */
  inserted: number | null
}

/** The properties of a request that determine the format of the response. */
export interface ResponseFormat {
  kind: 'read' | 'insert' | 'update' | 'delete' | 'call'
  accept: AcceptedFormat
  preferences: Preferences
  /** True for HEAD: the response has no body. */
  isHead: boolean
  /** Whether the called function returns void. */
  isVoid: boolean
}

/**
 * Reads the result of the request's statement. A write without `returning` returns no row; the number of written rows is in
 * the command tag.
 */
export function resultOf(result: StatementResult | undefined): RestResult {
  const [row] = result?.rows ?? []
  if (!row) return { body: null, rowCount: result?.rowCount ?? 0, total: null, inserted: null }
  return {
    body: result?.large?.body ?? row.body ?? null,
    rowCount: Number(row.row_count ?? 0),
    total: row.total == null ? null : Number(row.total),
    inserted: row.inserted == null ? null : Number(row.inserted),
  }
}

/**
 * Creates the response with this result, in PostgREST's format (docs/supabase-protocol.md, section 3). Throws PGRST103 if
 * the rows were counted and the offset is greater than their number. Throws PGRST116 if a read of a single object did not find
 * exactly one row. (Writes and calls check this in SQL.)
 */
export function respond(
  format: ResponseFormat,
  result: RestResult,
  window: { offset: number; limit: number | null },
): HttpResponse {
  const { accept, preferences } = format
  const headers: Record<string, string> = {}
  if (preferences.applied !== '') headers['Preference-Applied'] = preferences.applied
  if (format.isVoid) return { status: 204, headers }

  const total = preferences.count ? (result.total ?? result.rowCount) : null
  headers['Content-Range'] = contentRange(format.kind, result.rowCount, window.offset, total)
  if (format.kind === 'read' || format.kind === 'call') {
    const rowCount = format.isHead && total !== null ? rowCountInWindow(total, window) : result.rowCount
    if (format.isHead) headers['Content-Range'] = contentRange(format.kind, rowCount, window.offset, total)
    if (total !== null && window.offset > total) throw outOfBounds(window.offset, total)
    if (accept.isSingle && format.kind === 'read' && rowCount !== 1) throw notSingleObject(rowCount)
    headers['Content-Type'] = accept.contentType
    const status = total !== null && rowCount < total ? 206 : 200
    return format.isHead ? { status, headers } : { status, headers, body: result.body ?? 'null' }
  }
  const status = writtenStatus(format, result)
  if (!preferences.returnsRows) return { status: format.kind === 'insert' ? status : 204, headers }
  headers['Content-Type'] = accept.contentType
  return { status, headers, body: result.body ?? 'null' }
}

/**
 * Returns the status of an insert, or of another write that returns rows: 201 for an insert; 200 for an update, a delete, or
 * an upsert that affected rows but inserted none.
 */
function writtenStatus(format: ResponseFormat, result: RestResult): number {
  if (format.kind !== 'insert') return 200
  return result.inserted === 0 && result.rowCount > 0 ? 200 : 201
}

function contentRange(kind: ResponseFormat['kind'], rowCount: number, offset: number, total: number | null): string {
  const totalText = total === null ? '*' : String(total)
  const hasRange = rowCount > 0 && kind !== 'insert' && kind !== 'delete'
  return `${hasRange ? `${offset}-${offset + rowCount - 1}` : '*'}/${totalText}`
}

/** Returns the number of rows that a GET with the same window would return. */
function rowCountInWindow(total: number, window: { offset: number; limit: number | null }): number {
  return Math.max(0, Math.min(total - window.offset, window.limit ?? total))
}

function outOfBounds(offset: number, total: number): HttpError {
  return refusal('PGRST103', {
    details: `An offset of ${offset} was requested, but there are only ${total} rows.`,
    headers: { 'Content-Range': `*/${total}` },
  })
}
