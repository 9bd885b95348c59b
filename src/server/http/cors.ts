import type { HttpRequest, HttpResponse } from './exchange.ts'

/**
 * Headers that the official client sends (docs/supabase-protocol.md, section 1), and `idempotency-key`, by which the server
 * recognises a write that is sent again.
 */
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
  /**
   * Returns the CORS headers of the response to this request. If the request's origin may not read the response, the headers
   * give no permission.
   */
  headersFor(request: HttpRequest): Record<string, string>
  /**
   * Returns the response to an OPTIONS request, which needs no API key. An origin that is not on the list gets no
   * permission.
   */
  preflight(request: HttpRequest): HttpResponse
}

const noHeaders: Record<string, string> = {}

/**
 * Creates the object that returns CORS headers. The listed origins may call the API; `*` allows all origins. The server's
 * own origin needs no entry.
 */
export function createCors(origins: readonly string[]): Cors {
  const allowsAll = origins.includes('*')
  const listedOrigins = new Set(origins)
  const varyHeaders = listedOrigins.size > 0 ? { Vary: 'Origin' } : noHeaders

  function headersFor(request: HttpRequest): Record<string, string> {
    const { origin } = request.headers
    if (origin === undefined || !(allowsAll || listedOrigins.has(origin))) return varyHeaders
    return { Vary: 'Origin', 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposedHeaders }
  }

  function preflight(request: HttpRequest): HttpResponse {
    const { origin } = request.headers
    if (origin === undefined || !(allowsAll || listedOrigins.has(origin)))
      return { status: 204, headers: { Allow: allowedMethods } }
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
