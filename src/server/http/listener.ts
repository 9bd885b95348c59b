import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { ByteBudget, type HeldBytes } from './byte-budget.ts'
import { createClientIpReader, type TrustProxy } from './ip-address.ts'
import { HttpError, refusal, errorResponse } from './errors.ts'
import type { Handler, HttpRequest, HttpResponse } from './exchange.ts'
import { networkOf } from './network.ts'
import { hasBody, hasLengthOver, readBody } from './read-body.ts'
import { readTarget } from './request-target.ts'
import { createRequestLog } from './request-log.ts'
import { sendResponse } from './send-response.ts'
import { whenSent } from './slow-reader.ts'
import { createProxyWarning } from './untrusted-proxy.ts'
import { RequestMessage } from './upgrade-offer.ts'
import { closeWithConnection } from './waiting-responses.ts'

export interface ListenerOptions {
  handler: Handler
  /** Returns the headers that every response to this request gets, even a refusal by the listener. Not called for an invalid URL. */
  commonHeaders: (request: HttpRequest) => Record<string, string>
  log: Logger
  trustProxy: TrustProxy
  /**
   * Called when a response was handed to the connection, or its client has disconnected. `milliseconds` is the time since the
   * headers of the request arrived. Not called for an invalid URL.
   */
  onResponse?: (path: string, status: number, milliseconds: number) => void
  /** Returns the maximum body size of requests to a path (bytes). It is 0 for paths that accept no body. */
  bodyLimit: (path: string) => number
}

/**
 * Limits on the bytes of request bodies in memory. `bytesPerKey` applies to a network (an IPv4 address or an IPv6 /64), from
 * which many people may send through one proxy.
 */
const bodyLimits = { totalBytes: 64 * 1024 * 1024, bytesPerKey: 48 * 1024 * 1024, smallRequestBytes: 16 * 1024 }

/**
 * Maximum size of all headers of a request together (bytes). It is enough for a long token. Without the token, the URL and
 * the headers together may have at most `maxOtherHeaderBytes` bytes.
 */
const maxHeaderBytes = 160 * 1024
const maxOtherHeaderBytes = 16 * 1024
const maxHeaderCount = 100

const emptyBody = Buffer.alloc(0)
const allowedMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Creates the node:http server for a handler: it reads requests, limits their size, checks them and writes the responses.
 * Headers must arrive within 10 s, a whole request within 24 s (checked every 3 s). A kept-alive connection is closed 30 s
 * after its last response, any other connection after 60 s without traffic. 'upgrade' is emitted for websocket only.
 */
export function createListener(options: ListenerOptions): Server {
  const { handler, bodyLimit, commonHeaders, log } = options
  const clientIpOf = createClientIpReader(options.trustProxy)
  const warnOfProxy = createProxyWarning(options.trustProxy, log)
  const logRequest = createRequestLog(log)
  const newId = createRequestIds()
  const bodyBudget = new ByteBudget(bodyLimits)

  async function respond(message: IncomingMessage, request: ReceivedRequest | null): Promise<HttpResponse> {
    try {
      if (request === null) throw refusal('bad_request')
      if (!allowedMethods.has(request.method)) throw methodNotAllowed()
      refuseLargeHeaders(message)
      if (!hasBody(message)) return await handler(request)
      const limit = bodyLimit(request.path)
      const body = readBody(message, limit, request.holdBytes(bodyBudget))
      if (limit === 0) return await handleWithoutBody(handler, request, body)
      request.body = await body
      return await handler(request)
    } catch (error) {
      if (error instanceof HttpError) return errorResponse(error)
      if (message.errored) return errorResponse(refusal('request_timeout'))
      log.error({ id: request?.id, err: error }, 'request failed')
      return errorResponse(refusal('internal'))
    }
  }

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.now()
    warnOfProxy(message)
    const request = readRequest(message, response, newId(), clientIpOf)
    const result = await respond(message, request)
    if (result.onSent) whenSent(response, result.onSent)
    if (request !== null) {
      const common = commonHeaders(request)
      for (const name in common) response.setHeader(name, common[name] ?? '')
      response.setHeader('X-Request-Id', request.id)
    }
    await sendResponse(message, response, result)
    if (request === null) return
    const milliseconds = performance.now() - startedAt
    logRequest(request, result.status, milliseconds)
    options.onResponse?.(request.path, result.status, milliseconds)
  }

  const onRequest = (message: IncomingMessage, response: ServerResponse) => {
    // An error means that the client disconnected while the response was written. Node emits 'close' next, which aborts
    // the request's `signal`.
    response.on('error', () => response.destroy())
    closeWithConnection(response)
    serve(message, response).catch((error: unknown) => {
      log.error({ err: error }, 'a response could not be sent')
      response.destroy()
    })
  }
  const server = createServer(
    {
      IncomingMessage: RequestMessage,
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: 10_000,
      requestTimeout: 24_000,
      connectionsCheckingInterval: 3_000,
      keepAliveTimeout: 30_000,
    },
    onRequest,
  )
  // Node silently drops headers above this count. The count is one above the limit, so that the listener can refuse the
  // request.
  server.maxHeadersCount = maxHeaderCount + 1
  server.timeout = 60_000
  server.on('checkContinue', (message: IncomingMessage, response: ServerResponse) => {
    if (!hasLengthOver(message, bodyLimit(message.url ?? ''))) response.writeContinue()
    onRequest(message, response)
  })
  server.on('clientError', refuseUnreadable)
  server.on('connection', handleSocketErrors)
  server.on('connect', refuseTunnel)
  return server
}

/**
 * Handles a request with a body to a path that accepts none. The handler's refusal of the path or the method comes first, as
 * for a request without a body. Otherwise `body` rejects with 413. Reading a refused body needs no memory, so the handler need not wait for `body`.
 */
async function handleWithoutBody(handler: Handler, request: HttpRequest, body: Promise<Buffer>): Promise<HttpResponse> {
  body.catch(() => {})
  const response = await handler(request)
  await body
  return response
}

/**
 * Handles errors of the socket while it is open. Node removes its own listener when a connection becomes an upgrade or a
 * tunnel, and an 'error' event without a listener ends the process.
 */
function handleSocketErrors(socket: Socket): void {
  socket.on('error', () => socket.destroy())
}

const noTunnelMessage = 'This server is no proxy: send the request without CONNECT.\n'

function refuseTunnel(_: IncomingMessage, socket: Duplex): void {
  const head = `HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n`
  socket.end(`${head}Content-Length: ${noTunnelMessage.length}\r\n\r\n${noTunnelMessage}`, () => socket.destroy())
}

/** Returns the request as plain data, without its body. Returns null if its target is not valid. */
function readRequest(
  message: IncomingMessage,
  response: ServerResponse,
  id: string,
  clientIpOf: (message: IncomingMessage) => string,
): ReceivedRequest | null {
  try {
    const { path, query } = readTarget(message.url)
    const { method = 'GET', headers } = message
    return new ReceivedRequest(method, path, query, headers, clientIpOf(message), id, response)
  } catch {
    return null
  }
}

/**
 * A request that has arrived. It is a class, so that the AbortController is created only when `signal` is read: few
 * handlers read it, and creating it takes longer than reading the rest of the request.
 */
class ReceivedRequest implements HttpRequest {
  body: Buffer = emptyBody
  #controller: AbortController | undefined
  readonly #response: ServerResponse

  constructor(
    readonly method: string,
    readonly path: string,
    readonly query: string,
    readonly headers: IncomingMessage['headers'],
    readonly ip: string,
    readonly id: string,
    response: ServerResponse,
  ) {
    this.#response = response
  }

  /**
   * Returns a counter for the bytes of the request's body. The bytes are released when the response is sent. Returns null if
   * the announced length of the body is small.
   */
  holdBytes(budget: ByteBudget): HeldBytes | null {
    if (Number(this.headers['content-length'] ?? Number.POSITIVE_INFINITY) <= bodyLimits.smallRequestBytes) return null
    const held = budget.hold(networkOf(this.ip))
    whenSent(this.#response, () => held.release())
    return held
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController()
      const response = this.#response
      if (response.destroyed) controller.abort()
      else response.once('close', () => response.writableFinished || controller.abort())
      this.#controller = controller
    }
    return this.#controller.signal
  }
}

/**
 * Throws 431 if there are too many headers or they are too large. The token is not counted, because `createCallerReader`
 * refuses a long token with a message of its own.
 */
function refuseLargeHeaders(message: IncomingMessage): void {
  const { rawHeaders } = message
  if (rawHeaders.length > 2 * maxHeaderCount) throw refusal('header_too_large', { message: 'Too many request headers' })
  let size = message.url?.length ?? 0
  for (const text of rawHeaders) size += text.length
  if (size > maxOtherHeaderBytes) size -= message.headers.authorization?.length ?? 0
  if (size > maxOtherHeaderBytes) throw refusal('header_too_large')
}

function methodNotAllowed() {
  return refusal('method_not_allowed', { headers: { Allow: Array.from(allowedMethods).join(', ') } })
}

/** Responds to a request that Node could not parse, because it is not valid HTTP, too long or too slow. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status = statusLineByParserError[error.code ?? ''] ?? '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy())
}

const statusLineByParserError: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/**
 * Creates the function that returns request ids. The ids are short and unique, even after a restart. No system call is made
 * per id.
 */
function createRequestIds(): () => string {
  const start = `${Date.now().toString(36)}${process.pid.toString(36)}-`
  let count = 0
  return () => start + (++count).toString(36)
}
