import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { type Keys, loadKeys } from '#server/auth/keys.ts'
import { warnIfKeysAreMissing } from '#server/auth/missing-keys.ts'
import { type KeyWatch, watchKeys } from '#server/auth/key-watch.ts'
import { openMailer } from '#server/auth/mail/open-mailer.ts'
import type { HashCost } from '#server/auth/passwords.ts'
import { applySessionLife } from '#server/auth/session-life.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { nameLostDatabase } from '#server/db/lost-database.ts'
import { ensurePrivateDirectory } from '#server/db/private-directory.ts'
import { refusal, errorResponse } from '#server/http/errors.ts'
import type { HttpRequest } from '#server/http/exchange.ts'
import { serveHealth } from '#server/http/health.ts'
import { createMetrics, type Metrics } from '#server/http/metrics.ts'
import { createListener } from '#server/http/listener.ts'
import { reachableHost } from '#server/http/reachable-host.ts'
import { stopListener } from '#server/http/stop-listener.ts'
import { startPushDelivery } from '#server/push/deliver.ts'
import { httpsTransport, type PushTransport } from '#server/push/transport.ts'
import { createVapid } from '#server/push/vapid.ts'
import { refuseWithStatus, socketPath } from '#server/realtime/realtime.ts'
import { type App, maxBodyBytesOf, createApp } from './app.ts'
import type { Config } from './config.ts'

export interface ServerOptions {
  config: Config
  /** The folder of the built client. The server also starts if the folder does not exist. */
  webRoot: string
  log: Logger
  /** Whether the product's migrations (supabase/migrations) are applied. False only for tests of the server alone. Default: true. */
  product?: boolean
  /** Sends pushes to the push services. Only tests set it, to a transport that reaches their own push service. */
  pushTransport?: PushTransport
  /** Cost of the hashes of new passwords. Only tests set it, to a lower cost. No setting of an operator changes it. */
  hashCost?: HashCost
}

export interface RunningServer {
  /** The URL to open in a browser. */
  url: string
  port: number
  keys: Keys
  database: Database
  /** Lets running requests finish (for at most 6 s), refuses new ones, and closes the database. */
  stop(): Promise<void>
  /** Cuts every connection and closes the database. Running requests get no response. */
  cut(): Promise<void>
}

/**
 * Time in which running requests may finish when the server stops (ms). The process ends after 8 s in any case (main.ts).
 */
const stopGraceMs = 6000

/**
 * Starts the server. Binds the port first, so that a port in use is reported before anything else happens. Then reads the
 * keys, and opens and migrates the database; until this is done, requests get 503 (except `/healthz`). Throws Node's error if
 * the port cannot be bound. If a later step fails, closes the port and throws its error.
 */
export async function startServer({
  config,
  webRoot,
  log,
  product,
  pushTransport = httpsTransport(),
  hashCost,
}: ServerOptions): Promise<RunningServer> {
  let app: App = startingApp
  let metrics: Metrics | undefined
  const listener = createListener({
    handler: (request) => app.handle(request),
    commonHeaders: (request) => app.commonHeaders(request),
    log,
    trustProxy: config.trustProxy,
    bodyLimit: maxBodyBytesOf,
    onResponse: (path, status, milliseconds) => metrics?.countRequest(path, status, milliseconds),
  })
  listener.on('upgrade', (message, socket, head) => {
    if (app.realtime && isSocketPath(message.url)) app.realtime.upgrade(message, socket, head)
    else refuseWithStatus(socket, app.realtime ? '404 Not Found' : '503 Service Unavailable')
  })
  await new Promise<void>((resolve, reject) => {
    listener.once('error', (error: NodeJS.ErrnoException) => {
      // Here ENOTFOUND means that the setting HOST is wrong, which is permanent. The code is replaced, because ENOTFOUND counts
      // as temporary (`start-failure.ts`): for the host of a database it may be.
      reject(error.code === 'ENOTFOUND' ? Object.assign(error, { code: 'EADDRNOTAVAIL' }) : error)
    })
    listener.listen(config.port, config.host, resolve)
  })
  const { port } = listener.address() as AddressInfo
  const url = config.siteUrl ?? `http://${reachableHost(config.host)}:${port}`

  let database: Database | undefined
  let keyWatch: KeyWatch | undefined
  try {
    const metricsLoading = createMetrics()
    ensurePrivateDirectory(config.dataDir, log)
    const keys = await loadKeys(config.dataDir, config)
    const { check, stop: stopWatching } = (keyWatch = watchKeys(config.dataDir, keys, log))
    const { databaseUrl, dataDir } = config
    const opened = await nameLostDatabase(config, () => openDatabase({ databaseUrl, dataDir, log, product }))
    database = opened
    if (keys.areNew) await warnIfKeysAreMissing(opened.owner, config.dataDir, log)
    await applySessionLife(opened.owner, { idleDays: config.sessionIdleDays, maxDays: config.sessionMaxDays })
    const mail = await openMailer(config, { owner: opened.owner, siteUrl: url, secret: keys.refreshSecret, log })
    const vapid = createVapid(keys.refreshSecret, operatorUrl(url, config.mailFrom))
    const push = await startPushDelivery({ owner: opened.owner, vapid, transport: pushTransport, log })
    metrics = await metricsLoading
    const appOptions = {
      database: opened,
      keys,
      updateKeys: check,
      config,
      mail,
      siteUrl: url,
      pushKey: vapid.publicKey,
      webRoot,
      log,
      metrics,
      hashCost,
    }
    const readyApp = createApp(appOptions)
    const { realtime } = readyApp
    await realtime?.prepare()
    app = readyApp
    const stopAll = async (graceMs: number) => {
      stopWatching()
      await realtime?.close()
      await stopListener(listener, graceMs)
      await Promise.all([mail.stop(), push.stop()])
      await opened.close()
    }
    return { url, port, keys, database: opened, stop: () => stopAll(stopGraceMs), cut: () => stopAll(0) }
  } catch (error) {
    keyWatch?.stop()
    listener.close()
    listener.closeAllConnections()
    await database?.close()
    throw error
  }
}

const startingApp: App = {
  handle: async (request: HttpRequest) =>
    request.path === '/healthz'
      ? serveHealth(request)
      : errorResponse(refusal('unavailable', { message: 'The server is starting', headers: { 'Retry-After': '1' } })),
  commonHeaders: () => ({}),
  realtime: null,
}

/**
 * Returns the URL that tells a push service how to reach the operator: `mailto:` with the address in `mailFrom`; without one,
 * `siteUrl` if it is https; otherwise `mailto:no-reply@` with the host of `siteUrl`, an address that probably nobody reads.
 */
function operatorUrl(siteUrl: string, mailFrom: string | undefined): string {
  const address = /[^\s<]+@[^\s>]+/.exec(mailFrom ?? '')?.[0]
  if (address) return `mailto:${address}`
  return siteUrl.startsWith('https:') ? siteUrl : `mailto:no-reply@${new URL(siteUrl).hostname}`
}

function isSocketPath(url: string | undefined): boolean {
  return url === socketPath || (url?.startsWith(`${socketPath}?`) ?? false)
}
