import { type HttpError, refusal } from '#server/http/errors.ts'
import type { HttpResponse } from '#server/http/exchange.ts'
import { notSingle } from './database-errors.ts'
import type { Accept, Preferences } from './request.ts'

/** The result of a statement. */
export interface Answer {
  body: string | Buffer | null
  /** Rows in the body, or written rows. */
  page: number
  /** Matching rows, if they were counted. */
  total: number | null
  /** Rows that an upsert inserted; null for other requests. */
  inserted: number | null
}

export interface Asked {
  kind: 'read' | 'insert' | 'update' | 'delete' | 'call'
  accept: Accept
  preferences: Preferences
  /** HEAD: no body. */
  headOnly: boolean
  /** The function returns void. */
  isVoid: boolean
}

/** Status, headers and body of an answer, as in PostgREST (docs/supabase-protocol.md, section 3). Throws PGRST103, PGRST116. */
export function respond(asked: Asked, answer: Answer, window: { offset: number; limit: number | null }): HttpResponse {
  const { accept, preferences } = asked
  const headers: Record<string, string> = {}
  if (preferences.applied !== '') headers['Preference-Applied'] = preferences.applied
  if (asked.isVoid) return { status: 204, headers }

  const total = preferences.count ? (answer.total ?? answer.page) : null
  headers['Content-Range'] = contentRange(asked.kind, answer.page, window.offset, total)
  if (asked.kind === 'read' || asked.kind === 'call') {
    const page = asked.headOnly && total !== null ? pageOf(total, window) : answer.page
    if (asked.headOnly) headers['Content-Range'] = contentRange(asked.kind, page, window.offset, total)
    if (total !== null && window.offset > total) throw outOfBounds(window.offset, total)
    if (accept.single && asked.kind === 'read' && page !== 1) throw notSingle(page)
    headers['Content-Type'] = accept.contentType
    const status = total !== null && page < total ? 206 : 200
    return { status, headers, body: asked.headOnly ? '' : (answer.body ?? 'null') }
  }
  const status = writtenStatus(asked, answer)
  if (!preferences.representation) return { status: asked.kind === 'insert' ? status : 204, headers }
  headers['Content-Type'] = accept.contentType
  return { status, headers, body: answer.body ?? 'null' }
}

/** 201 for an insert; 200 for an upsert that inserted nothing. */
function writtenStatus(asked: Asked, answer: Answer): number {
  if (asked.kind !== 'insert') return 200
  return answer.inserted === 0 && answer.page > 0 ? 200 : 201
}

function contentRange(kind: Asked['kind'], page: number, offset: number, total: number | null): string {
  const whole = total === null ? '*' : String(total)
  const hasRange = page > 0 && kind !== 'insert' && kind !== 'delete'
  return `${hasRange ? `${offset}-${offset + page - 1}` : '*'}/${whole}`
}

/** The number of rows that a GET of the same window would return. */
function pageOf(total: number, window: { offset: number; limit: number | null }): number {
  return Math.max(0, Math.min(total - window.offset, window.limit ?? total))
}

function outOfBounds(offset: number, total: number): HttpError {
  return refusal('PGRST103', {
    details: `An offset of ${offset} was requested, but there are only ${total} rows.`,
    headers: { 'Content-Range': `*/${total}` },
  })
}
