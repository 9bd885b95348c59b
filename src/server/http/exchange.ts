import type { IncomingHttpHeaders } from 'node:http'

/** One request as plain data: the listener has read, bounded and checked it, so a test can write one by hand. */
export interface HttpRequest {
  method: string
  /** Percent-encoded, without the query. */
  path: string
  /** Raw, without the question mark; '' where there is none. */
  query: string
  headers: IncomingHttpHeaders
  /** Empty where the request carried none. */
  body: Buffer
  /** The caller's address; a forwarded one counts only from a trusted proxy. */
  ip: string
  /** Stands in the log lines and in the answer's `X-Request-Id`. */
  id: string
  /** Aborted when the caller hangs up before the answer. */
  signal: AbortSignal
}

/** One answer as plain data. Header names are written as given; the length, the date and the request id are added. */
export interface HttpResponse {
  status: number
  headers?: Record<string, string>
  body?: string | Buffer
  /** Called once the answer is sent or its caller is gone: the answer lies in memory no longer. */
  onSent?: () => void
}

/** Answers a request; what it throws is answered by `respondToError`. */
export type Handler = (request: HttpRequest) => Promise<HttpResponse>

/** A JSON answer. `value` is serialised here; text that is JSON already goes into `body` directly. */
export function json(status: number, value: unknown, headers?: Record<string, string>): HttpResponse {
  return { status, headers: { 'Content-Type': jsonType, ...headers }, body: JSON.stringify(value) }
}

export const jsonType = 'application/json; charset=utf-8'
