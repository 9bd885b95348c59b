import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { ByteBudget, type HeldBytes } from './byte-budget.ts'
import { createAddressReader, type TrustProxy } from './address.ts'
import { HttpError, refusal, respondToError } from './errors.ts'
import type { Handler, HttpRequest, HttpResponse } from './exchange.ts'
import { networkOf } from './network.ts'
import { announcesTooMuch, hasBody, readBody } from './read-body.ts'
import { readTarget } from './request-target.ts'
import { createRequestLog } from './request-log.ts'
import { sendResponse } from './send-response.ts'
import { whenSent } from './slow-reader.ts'
import { closeWithConnection } from './waiting-responses.ts'

export interface ListenerOptions {
  handler: Handler
  /** Headers of every answer to this request, also of the listener's own refusals. */
  commonHeaders: (request: HttpRequest) => Record<string, string>
  log: Logger
  trustProxy: TrustProxy
  /** Called for each answer after it is sent. */
  onAnswered?: (path: string, status: number, milliseconds: number) => void
  /** The maximum body size for a path (bytes); 0: no body is accepted. */
  bodyLimit: (path: string) => number
}

/**
 * Limits on bodies in memory (bytes). `each` is per network (an IPv4 address or a /64), which may be many people behind
 * a proxy.
 */
const bodyShares = { total: 64 * 1024 * 1024, each: 48 * 1024 * 1024, small: 16 * 1024 }

/** Room for a long token (bytes). All other headers together may take `maxOtherHeaders`. */
const maxHeaderBytes = 160 * 1024
const maxOtherHeaders = 16 * 1024
const maxHeaderCount = 100

const emptyBody = Buffer.alloc(0)
const allowedMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Creates the node:http server for a handler: it reads requests, limits their size, checks them and writes the answers.
 * Headers must arrive within 10 s, a whole request within 24 s (checked every 3 s). A connection without traffic is
 * closed after 60 s.
 */
export function createListener(options: ListenerOptions): Server {
  const { handler, bodyLimit, commonHeaders, log } = options
  const addressOf = createAddressReader(options.trustProxy)
  const logRequest = createRequestLog(log)
  const newId = requestIds()
  const bodies = new ByteBudget(bodyShares)

  async function answer(message: IncomingMessage, request: Exchange | null): Promise<HttpResponse> {
    try {
      if (request === null) throw refusal('bad_request')
      if (!allowedMethods.has(request.method)) throw refusal('method_not_allowed')
      refuseLargeHeaders(message)
      if (hasBody(message)) request.body = await readBody(message, bodyLimit(request.path), request.holdBytes(bodies))
      return await handler(request)
    } catch (error) {
      if (error instanceof HttpError) return respondToError(error)
      if (message.errored) return respondToError(refusal('request_timeout'))
      log.error({ id: request?.id, err: error }, 'request failed')
      return respondToError(refusal('internal'))
    }
  }

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now()
    const request = readRequest(message, response, newId(), addressOf)
    const answered = await answer(message, request)
    if (answered.onSent) whenSent(response, answered.onSent)
    if (request !== null) {
      const common = commonHeaders(request)
      for (const name in common) response.setHeader(name, common[name] ?? '')
      response.setHeader('X-Request-Id', request.id)
    }
    await sendResponse(message, response, answered)
    if (request === null) return
    const milliseconds = performance.now() - started
    logRequest(request, answered.status, milliseconds)
    options.onAnswered?.(request.path, answered.status, milliseconds)
  }

  const onRequest = (message: IncomingMessage, response: ServerResponse) => {
    // The caller disconnected while the answer was written. 'close' follows, and aborts `signal`.
    response.on('error', () => response.destroy())
    closeWithConnection(response)
    serve(message, response).catch((error: unknown) => {
      log.error({ err: error }, 'answer could not be sent')
      response.destroy()
    })
  }
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: 10_000,
      requestTimeout: 24_000,
      connectionsCheckingInterval: 3_000,
      keepAliveTimeout: 30_000,
    },
    onRequest,
  )
  // Node silently drops headers above this count. One more than the limit, so that the listener can refuse instead.
  server.maxHeadersCount = maxHeaderCount + 1
  server.timeout = 60_000
  server.on('checkContinue', (message: IncomingMessage, response: ServerResponse) => {
    if (!announcesTooMuch(message, bodyLimit(message.url ?? ''))) response.writeContinue()
    onRequest(message, response)
  })
  server.on('clientError', refuseUnreadable)
  server.on('connection', handleSocketErrors)
  server.on('connect', refuseTunnel)
  return server
}

/**
 * Handles socket errors from the first moment. Node removes its own listener when a connection becomes an upgrade or a
 * tunnel, and an 'error' without a listener ends the process. 'close' follows each error.
 */
function handleSocketErrors(socket: Socket): void {
  socket.on('error', () => socket.destroy())
}

const noTunnelMessage = 'This server opens no tunnels: send the request itself.\n'

function refuseTunnel(_: IncomingMessage, socket: Duplex): void {
  const head = `HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n`
  socket.end(`${head}Content-Length: ${noTunnelMessage.length}\r\n\r\n${noTunnelMessage}`, () => socket.destroy())
}

/** The request as plain data, without its body; null where its target is not served. */
function readRequest(
  message: IncomingMessage,
  response: ServerResponse,
  id: string,
  addressOf: (message: IncomingMessage) => string,
): Exchange | null {
  try {
    const { path, query } = readTarget(message.url)
    const { method = 'GET', headers } = message
    return new Exchange(method, path, query, headers, addressOf(message), id, response)
  } catch {
    return null
  }
}

/**
 * A class, so that the AbortController is created only when `signal` is read: few handlers read it, and creating it
 * costs more than the rest of the request.
 */
class Exchange implements HttpRequest {
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

  /** Holds bytes for this request until it is answered. Null where its body is small. */
  holdBytes(budget: ByteBudget): HeldBytes | null {
    if (Number(this.headers['content-length'] ?? Number.POSITIVE_INFINITY) <= bodyShares.small) return null
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

/** Refuses large headers. The token is excluded: its own check refuses a long token with its own message. */
function refuseLargeHeaders(message: IncomingMessage): void {
  const { rawHeaders } = message
  if (rawHeaders.length > 2 * maxHeaderCount) throw refusal('header_too_large', { message: 'Too many request headers' })
  let size = message.url?.length ?? 0
  for (const text of rawHeaders) size += text.length
  if (size > maxOtherHeaders) size -= message.headers.authorization?.length ?? 0
  if (size > maxOtherHeaders) throw refusal('header_too_large')
}

/** Answers a request that is no HTTP, too long or too slow, before there is a request object. */
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

/** Makes request ids: short, unique over restarts, and without a system call each. */
function requestIds(): () => string {
  const start = `${Date.now().toString(36)}${process.pid.toString(36)}-`
  let count = 0
  return () => start + (++count).toString(36)
}
