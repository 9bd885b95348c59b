import type { IncomingHttpHeaders } from 'node:http'

/**
 * One request as plain data. The listener has read it, limited its size and checked it. Tests can write one by hand.
 */
export interface HttpRequest {
  method: string
  /** Percent-encoded, without the query. */
  path: string
  /** Raw, without the question mark; '' without a query. */
  query: string
  headers: IncomingHttpHeaders
  /** Empty without a body. */
  body: Buffer
  /** The caller's address. A forwarded address is used only from a trusted proxy. */
  ip: string
  /** Written to the log lines and to the answer's `X-Request-Id`. */
  id: string
  /** Aborted when the caller disconnects before the answer. */
  signal: AbortSignal
}

/**
 * One answer as plain data. Header names are written as given; length, date and request id are added by the listener.
 */
export interface HttpResponse {
  status: number
  headers?: Record<string, string>
  body?: string | Buffer
  /** Called when the answer is sent or the caller has disconnected, so that memory held for it can be released. */
  onSent?: () => void
}

/** Answers a request. A thrown error is answered by `respondToError`. */
export type Handler = (request: HttpRequest) => Promise<HttpResponse>

/** Makes a JSON answer and serialises `value`. Put text that is JSON already into `body` directly. */
export function json(status: number, value: unknown, headers?: Record<string, string>): HttpResponse {
  return { status, headers: { 'Content-Type': jsonType, ...headers }, body: JSON.stringify(value) }
}

export const jsonType = 'application/json; charset=utf-8'
