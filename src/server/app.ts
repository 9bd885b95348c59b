import type { Logger } from 'pino'
import { createAuth } from '#server/auth/auth.ts'
import type { Keys } from '#server/auth/keys.ts'
import type { MailQueue } from '#server/auth/mail/queue.ts'
import type { HashCost } from '#server/auth/passwords.ts'
import { createTokenSigner } from '#server/auth/tokens.ts'
import { calendarPrefix, createCalendarHandler } from '#server/calendar/calendar.ts'
import type { Database } from '#server/db/database.ts'
import { createClientIpReader, hasTrustedProxy } from '#server/http/ip-address.ts'
import { createCallerReader } from '#server/http/caller.ts'
import { createConfigScript } from '#server/http/config-script.ts'
import { createCors } from '#server/http/cors.ts'
import { refusal } from '#server/http/errors.ts'
import type { Handler, HttpRequest, HttpResponse } from '#server/http/exchange.ts'
import { createReadinessHandler, serveHealth } from '#server/http/health.ts'
import { type Metrics, createMetricsHandler } from '#server/http/metrics.ts'
import { restrictToReaders } from '#server/http/metrics-readers.ts'
import { serveKillSwitchWorker } from '#server/http/kill-switch-worker.ts'
import { commonSecurityHeaders, pageHeaders } from '#server/http/security-headers.ts'
import { createStaticFiles } from '#server/http/static-files.ts'
import { createRealtime, type Realtime } from '#server/realtime/realtime.ts'
import { createRest } from '#server/rest/rest.ts'
import type { Config } from './config.ts'

export interface AppOptions {
  database: Database
  keys: Keys
  /** Reads the key file and updates `keys` if the file has changed. */
  updateKeys: () => Promise<void>
  config: Config
  mail: MailQueue
  /** The origin at which people reach this server. */
  siteUrl: string
  /** The public VAPID key with which browsers subscribe to pushes. */
  pushKey: string
  /** The folder of the built client. The server also starts if the folder does not exist. */
  webRoot: string
  log: Logger
  metrics: Metrics
  /** Cost of the hashes of new passwords. Undefined: the default cost. */
  hashCost: HashCost | undefined
}

export interface App {
  handle: Handler
  /** Returns the headers that every response to this request has, even a response to an error. */
  commonHeaders: (request: HttpRequest) => Record<string, string>
  /** The server of live changes. Null while the server starts. */
  realtime: Realtime | null
}

/** Maximum size of the body of a REST request. It is enough for a thousand imported rows with long fields. */
const maxRestBodyBytes = 768 * 1024
const maxAuthBodyBytes = 64 * 1024

/** Returns the maximum body size of requests to a path (bytes). It is 0 for paths that accept no body. */
export function maxBodyBytesOf(path: string): number {
  if (path.startsWith('/rest/v1/')) return maxRestBodyBytes
  return path.startsWith('/auth/v1/') ? maxAuthBodyBytes : 0
}

/**
 * Creates the server of live changes, and the handler of all other requests: to REST, auth and the calendar feeds, for the
 * app's files, health checks and metrics.
 */
export function createApp(options: AppOptions): App {
  const { database, keys, config, mail, siteUrl, pushKey, webRoot, log, metrics, hashCost } = options
  const { add: addGauge } = metrics
  const securityOptions = {
    isHttps: siteUrl.startsWith('https:'),
    apiOrigin: config.supabaseUrl && new URL(config.supabaseUrl).origin,
  }
  const cors = createCors(config.corsOrigins)
  const tokens = createTokenSigner(keys, `${siteUrl}/auth/v1`, options.updateKeys)
  const { publishableKey, secretKey } = keys
  const { verify } = tokens
  const readCaller = createCallerReader({ publishableKey, secretKey, verify, keySet: () => keys.verificationKeys })

  const auth = createAuth({ database, keys, tokens, config, mail, siteUrl, log, addGauge, hashCost })
  const rest = createRest({
    database,
    readCaller,
    maxRows: config.maxRows,
    limitsRefusals: config.authRateLimit > 0,
    log,
    addGauge,
  })
  const realtime = createRealtime({
    database,
    keys: { publishableKey, secretKey, verify, accepts: (kid) => keys.verificationKeys.has(kid) },
    clientIpOf: createClientIpReader(config.trustProxy),
    log,
    addGauge,
  })
  for (const pool of ['requests', 'owner', 'live'] as const) {
    addGauge({
      name: `banyan_database_connections_of_${pool}`,
      help: 'Connections to the database that are busy or idle, and requests that wait for one.',
      label: 'state',
      read: () => ({ ...database.figures()[pool] }),
    })
  }
  addGauge({
    name: 'banyan_database_overloaded',
    help: '1 while the database is overloaded: requests then wait for a connection 0.3 s at most.',
    read: () => Number(database.overload().isOverloaded),
  })
  addGauge({
    name: 'banyan_requests_refused_after_waiting',
    help: 'Requests that were refused since the start of the server, because no database connection became free in time.',
    read: () => database.overload().refused,
  })
  const calendar = createCalendarHandler(database.owner, siteUrl)
  const staticFiles = createStaticFiles(webRoot, pageHeaders(securityOptions))
  const handlerByPath = new Map<string, Handler>([
    ['/config.js', createConfigScript({ publishableKey, pushKey }, config.serviceWorker)],
    ...(config.serviceWorker ? [] : [['/sw.js', serveKillSwitchWorker] as const]),
    ['/healthz', serveHealth],
    ['/readyz', createReadinessHandler(() => database.ready())],
    ['/metrics', restrictToReaders(config.metrics, hasTrustedProxy(config.trustProxy), createMetricsHandler(metrics))],
    ['/.well-known/jwks.json', auth],
  ])

  async function handle(request: HttpRequest): Promise<HttpResponse> {
    const { path } = request
    if (path.startsWith('/rest/v1/'))
      return request.method === 'OPTIONS' ? cors.preflight(request) : withoutCaching(await handleRest(request))
    if (path.startsWith('/auth/v1/'))
      return request.method === 'OPTIONS' ? cors.preflight(request) : withoutCaching(await auth(request))
    if (path.startsWith(calendarPrefix)) return calendar(request)
    if (isOtherApi(path)) throw refusal('not_found', { message: 'This server does not serve this path' })
    return (handlerByPath.get(path) ?? staticFiles)(request)
  }

  /** Handles a REST request. After a successful write, the server of live changes sends the changes at once. */
  async function handleRest(request: HttpRequest): Promise<HttpResponse> {
    const response = await rest(request)
    if (request.method !== 'GET' && request.method !== 'HEAD' && response.status < 300) realtime.readNow()
    return response
  }

  const securityHeaders = commonSecurityHeaders(securityOptions)
  const commonHeaders =
    config.corsOrigins.length === 0
      ? () => securityHeaders
      : (request: HttpRequest) =>
          isApi(request.path) ? { ...securityHeaders, ...cors.headersFor(request) } : securityHeaders
  return { handle, commonHeaders, realtime }
}

/**
 * Adds `Cache-Control: no-store` to a response of the API, because the API's responses contain personal data. If the response
 * already has a `Cache-Control` header, this header stays as it is.
 */
function withoutCaching(response: HttpResponse): HttpResponse {
  if (response.headers === undefined) return { ...response, headers: { 'Cache-Control': 'no-store' } }
  response.headers['Cache-Control'] ??= 'no-store'
  return response
}

const apiPath = /^\/(rest|auth|realtime)\/v1(\/|$)|^\/(healthz|readyz|\.well-known\/jwks\.json)$/

function isApi(path: string): boolean {
  return apiPath.test(path)
}

/**
 * Whether the path looks like a path of an API, such as `/storage/v1/` or `/rest/v2/`. Call it only for paths that no API of
 * this server handles. A request to such a path gets an error, never the app's page.
 */
function isOtherApi(path: string): boolean {
  return /^\/(rest|auth|realtime|storage|functions)\/v\d+(\/|$)|^\/graphql(\/|$)|^\/metrics\//.test(path)
}
