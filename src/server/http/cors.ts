import type { HttpRequest, HttpResponse } from './exchange.ts'

/** What the official client sends (wire facts, section 1), and the key that makes a repeated write harmless. */
const ALLOWED_HEADERS = [
  'apikey',
  'authorization',
  'content-type',
  'content-profile',
  'accept-profile',
  'prefer',
  'range',
  'x-client-info',
  'x-supabase-api-version',
  'x-retry-count',
  'idempotency-key',
].join(', ')
const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
const EXPOSED_HEADERS = 'Content-Range, X-Supabase-Api-Version, Retry-After'

export interface Cors {
  /** The headers that let the page at the request's `Origin` read the answer; none where it may not. */
  headersFor(request: HttpRequest): Record<string, string>
  /** The answer to an OPTIONS request. It needs no key; for an origin that is not allowed it allows nothing. */
  preflight(request: HttpRequest): HttpResponse
}

const NOTHING: Record<string, string> = {}

/** Makes the answers to other origins: those on the list may call the API, `*` lets all. Same-origin pages need none. */
export function createCors(origins: readonly string[]): Cors {
  const any = origins.includes('*')
  const listed = new Set(origins)
  const varies = listed.size > 0 ? { Vary: 'Origin' } : NOTHING

  function headersFor(request: HttpRequest): Record<string, string> {
    const { origin } = request.headers
    if (origin === undefined || !(any || listed.has(origin))) return varies
    return { Vary: 'Origin', 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED_HEADERS }
  }

  function preflight(request: HttpRequest): HttpResponse {
    const { origin } = request.headers
    if (origin === undefined || !(any || listed.has(origin)))
      return { status: 204, headers: { Allow: ALLOWED_METHODS } }
    return {
      status: 204,
      headers: {
        'Access-Control-Allow-Methods': ALLOWED_METHODS,
        'Access-Control-Allow-Headers': ALLOWED_HEADERS,
        'Access-Control-Max-Age': '600',
      },
    }
  }

  return { headersFor, preflight }
}
