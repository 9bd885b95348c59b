import type { IncomingHttpHeaders } from 'node:http'

/** A request as plain data. The listener has read it, limited its size and checked it. Tests can create one by hand. */
export interface HttpRequest {
  method: string
  /** The path of the request, percent-encoded and without the query string. */
  path: string
  /** The raw query string without the question mark; '' without a query string. */
  query: string
  headers: IncomingHttpHeaders
  /** The body of the request. Empty if the request has no body. */
  body: Buffer
  /** The client's IP address. It comes from `X-Forwarded-For` only if a trusted proxy has written it there. */
  ip: string
  /** Identifies the request in log lines and in the response's `X-Request-Id`. */
  id: string
  /** Aborted when the client disconnects before the response is sent. */
  signal: AbortSignal
}

/** A response as plain data. Header names are written as given. The listener adds length, date and request id. */
export interface HttpResponse {
  status: number
  headers?: Record<string, string>
  body?: string | Buffer
  /** Called when the response is sent or the client has disconnected, so that memory held for it can be released. */
  onSent?: () => void
}

/** Handles a request. The listener turns a thrown error into a response with `errorResponse`. */
export type Handler = (request: HttpRequest) => Promise<HttpResponse>

/** Creates a JSON response whose body is `value`, serialised. A text that is JSON already must not be passed here: set it as `body`. */
export function json(status: number, value: unknown, headers?: Record<string, string>): HttpResponse {
  return { status, headers: { 'Content-Type': jsonType, ...headers }, body: JSON.stringify(value) }
}

export const jsonType = 'application/json; charset=utf-8'
