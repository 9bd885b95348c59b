import type { HttpRequest, HttpResponse } from './exchange.ts'

/** What the official client sends (wire facts, section 1), and the key that makes a repeated write harmless. */
const allowedHeaders = [
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
const allowedMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
const exposedHeaders = 'Content-Range, X-Supabase-Api-Version, Retry-After'

export interface Cors {
  /** The headers that let the page at the request's `Origin` read the answer; none where it may not. */
  headersFor(request: HttpRequest): Record<string, string>
  /** The answer to an OPTIONS request. It needs no key; for an origin that is not allowed it allows nothing. */
  preflight(request: HttpRequest): HttpResponse
}

const noHeaders: Record<string, string> = {}

/** Makes the answers to other origins: those on the list may call the API, `*` lets all. Same-origin pages need none. */
export function createCors(origins: readonly string[]): Cors {
  const any = origins.includes('*')
  const listed = new Set(origins)
  const varies = listed.size > 0 ? { Vary: 'Origin' } : noHeaders

  function headersFor(request: HttpRequest): Record<string, string> {
    const { origin } = request.headers
    if (origin === undefined || !(any || listed.has(origin))) return varies
    return { Vary: 'Origin', 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposedHeaders }
  }

  function preflight(request: HttpRequest): HttpResponse {
    const { origin } = request.headers
    if (origin === undefined || !(any || listed.has(origin))) return { status: 204, headers: { Allow: allowedMethods } }
    return {
      status: 204,
      headers: {
        'Access-Control-Allow-Methods': allowedMethods,
        'Access-Control-Allow-Headers': allowedHeaders,
        'Access-Control-Max-Age': '600',
      },
    }
  }

  return { headersFor, preflight }
}
