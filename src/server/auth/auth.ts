import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { UnavailableError } from '#server/db/as-caller.ts'
import type { Database } from '#server/db/database.ts'
import { createKeyRoleReader } from '#server/http/caller.ts'
import { HttpError, refusal } from '#server/http/errors.ts'
import type { Handler, HttpRequest, HttpResponse } from '#server/http/exchange.ts'
import type { Metrics } from '#server/http/metrics.ts'
import { networkOf } from '#server/http/network.ts'
import type { AuthConfig, AuthContext, AuthHandler } from './context.ts'
import { isDatabaseUnavailable } from './database-unavailable.ts'
import { getUser } from './get-user.ts'
import { createHashQueue } from './hash-queue.ts'
import { invitation } from './invitation.ts'
import type { Keys } from './keys.ts'
import { challengeFactor } from '#server/auth/factors/challenge-factor.ts'
import { enrollFactor } from '#server/auth/factors/enroll-factor.ts'
import { createFactorLimits } from '#server/auth/factors/factor-limits.ts'
import { routePattern } from '#server/auth/factors/factor-path.ts'
import {
  makeRecoveryCodes,
  recoveryCodesStatus,
  regenerateRecoveryCodes,
  removeRecoveryCodes,
  verifyRecoveryCode,
} from '#server/auth/factors/recovery-codes.ts'
import { createFactorCipher } from '#server/auth/factors/factor-cipher.ts'
import { createSmsSender } from '#server/auth/factors/sms.ts'
import { unenrollFactor } from '#server/auth/factors/unenroll-factor.ts'
import { verifyFactor } from '#server/auth/factors/verify-factor.ts'
import type { MailQueue } from '#server/auth/mail/queue.ts'
import { createMailLimits } from './mail-limits.ts'
import { refuseOtp } from './otp.ts'
import { decoyHash, type HashCost } from './passwords.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import { createRateLimits } from './rate-limits.ts'
import { reauthenticate } from './reauthenticate.ts'
import { recover } from './recover.ts'
import { refresh } from './refresh.ts'
import { resend } from './resend.ts'
import { respondAuthError } from './respond-error.ts'
import { health, keySet, settings } from './settings.ts'
import { signIn } from './sign-in.ts'
import { signOut } from './sign-out.ts'
import { signUp } from './sign-up.ts'
import type { TokenSigner } from './tokens.ts'
import { updateUser } from './update-user.ts'
import { verify } from './verify.ts'

export interface AuthOptions {
  database: Database
  keys: Keys
  tokens: TokenSigner
  config: AuthConfig
  mail: MailQueue
  /** The origin at which people reach this server. */
  siteUrl: string
  log: Logger
  addGauge: Metrics['add']
  /** Cost of the hashes of new passwords. Undefined: the default cost. */
  hashCost: HashCost | undefined
}

interface Route {
  /** Whether a request to the route needs no `apikey`. */
  isPublic?: boolean
  /** Whether `requestsPerNetwork` does not apply to the route, because its handler sends no query to the database. */
  isUnlimited?: boolean
  handlers: Readonly<Record<string, AuthHandler>>
}

const handlerByGrant: Readonly<Record<string, AuthHandler>> = { password: signIn, refresh_token: refresh }

const grantOf = ({ query }: HttpRequest) => new URLSearchParams(query).get('grant_type') ?? ''

/** Whether the request signs in with a password. The hash queue limits such requests before they send a query. */
const isSignIn = (request: HttpRequest) => grantOf(request) === 'password'

/** POST /token: calls the handler of the request's grant type. Throws invalid_credentials for any other grant type. */
const handleToken: AuthHandler = (context, request) => {
  const grant = grantOf(request)
  const handler = Object.hasOwn(handlerByGrant, grant) ? handlerByGrant[grant] : undefined
  if (handler === undefined) throw refusal('invalid_credentials', { message: 'unsupported_grant_type' })
  return handler(context, request)
}

const routeByPath = new Map<string, Route>([
  ['/auth/v1/signup', { handlers: { POST: signUp } }],
  ['/auth/v1/token', { handlers: { POST: handleToken } }],
  ['/auth/v1/logout', { handlers: { POST: signOut } }],
  ['/auth/v1/user', { handlers: { GET: getUser, PUT: updateUser } }],
  ['/auth/v1/verify', { handlers: { POST: verify } }],
  ['/auth/v1/invitation', { handlers: { POST: invitation } }],
  ['/auth/v1/recover', { handlers: { POST: recover } }],
  ['/auth/v1/resend', { handlers: { POST: resend } }],
  ['/auth/v1/otp', { handlers: { POST: refuseOtp } }],
  ['/auth/v1/reauthenticate', { handlers: { GET: reauthenticate } }],
  [
    '/auth/v1/factors/recovery-codes',
    { handlers: { GET: recoveryCodesStatus, POST: makeRecoveryCodes, DELETE: removeRecoveryCodes } },
  ],
  ['/auth/v1/factors/recovery-codes/verify', { handlers: { POST: verifyRecoveryCode } }],
  ['/auth/v1/factors/recovery-codes/regenerate', { handlers: { POST: regenerateRecoveryCodes } }],
  ['/auth/v1/factors', { handlers: { POST: enrollFactor } }],
  ['/auth/v1/factors/:id', { handlers: { DELETE: unenrollFactor } }],
  ['/auth/v1/factors/:id/challenge', { handlers: { POST: challengeFactor } }],
  ['/auth/v1/factors/:id/verify', { handlers: { POST: verifyFactor } }],
  ['/auth/v1/settings', { isUnlimited: true, handlers: { GET: settings } }],
  ['/auth/v1/health', { isUnlimited: true, isPublic: true, handlers: { GET: health } }],
  ['/auth/v1/.well-known/jwks.json', { isUnlimited: true, isPublic: true, handlers: { GET: keySet } }],
  ['/.well-known/jwks.json', { isUnlimited: true, isPublic: true, handlers: { GET: keySet } }],
])

/** Maximum number of hashes that are computed at the same time: four, or the number of CPU cores if that is smaller. */
const maxParallelHashes = Math.min(4, availableParallelism())
const hashQueueLimits = {
  maxParallel: maxParallelHashes,
  maxWaiting: 256,
  maxWaitingOfNetwork: 128,
  maxWaitingOfAccount: 64,
}

/**
 * Maximum number of requests of one network that are in progress at the same time. Not counted: requests to unlimited
 * routes, and sign-ins with a password, which the hash queue limits.
 */
const requestsPerNetwork = 100

/** Creates the handler of requests to /auth/v1/ and for the key set. It responds as GoTrue (Supabase's auth server) does, and never rejects. */
export function createAuth(options: AuthOptions): Handler {
  const { database, keys, tokens, config, mail, siteUrl, log, addGauge, hashCost } = options
  const requireKey = createKeyRoleReader(keys)
  const hashQueue = createHashQueue(hashQueueLimits)
  addGauge({
    name: 'banyan_password_hashes',
    help: 'Password hashes that are computed now (running), and that wait (waiting).',
    label: 'state',
    read: () => ({ running: hashQueue.running, waiting: hashQueue.waiting }),
  })
  const concurrency = createConcurrencyLimit(config.authRateLimit > 0 ? requestsPerNetwork : Number.POSITIVE_INFINITY)
  const limits = createRateLimits(config.authRateLimit, keys.refreshSecret)
  const mailLimits = createMailLimits(config.authRateLimit > 0, config.mailLimit, keys.refreshSecret)
  const factorLimits = createFactorLimits(config.authRateLimit > 0, config.smsLimit, keys.refreshSecret)
  const sessionLife = { idleDays: config.sessionIdleDays, maxDays: config.sessionMaxDays }
  const factorCipher = createFactorCipher(keys.refreshSecret)
  const sendSms = createSmsSender({ hookUrl: config.smsHookUrl, folder: join(config.dataDir, 'outbox'), log })
  // `verifyPassword` uses the decoy hash for an unknown e-mail address. It is computed now, so that the first such sign-in is not slower.
  decoyHash().catch((error: unknown) => log.error({ err: error }, 'passwords cannot be hashed: nobody can sign in'))

  async function respond(request: HttpRequest): Promise<HttpResponse> {
    const route = routeByPath.get(request.path) ?? routeByPath.get(routePattern(request.path))
    if (route === undefined) throw refusal('not_found', { message: `This server does not serve ${request.path}` })
    if (!route.isPublic) requireKey(request)
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const handler = Object.hasOwn(route.handlers, method) ? route.handlers[method] : undefined
    if (handler === undefined) {
      throw refusal('method_not_allowed', { headers: { Allow: Object.keys(route.handlers).join(', ') } })
    }
    const context: AuthContext = {
      db: database.owner,
      config,
      keys,
      tokens,
      hashQueue,
      hashCost,
      limits,
      sessionLife,
      mail,
      mailLimits,
      factorLimits,
      factorCipher,
      sendSms,
      siteUrl,
      log,
    }
    if (route.isUnlimited || (handler === handleToken && isSignIn(request))) return handler(context, request)
    return concurrency.run(networkOf(request.ip), () => handler(context, request))
  }

  return async (request) => {
    try {
      return await respond(request)
    } catch (error) {
      return respondAuthError(request, asHttpError(error, request, log))
    }
  }
}

function asHttpError(error: unknown, { id }: HttpRequest, log: Logger): HttpError {
  if (error instanceof HttpError) return error
  if (error instanceof UnavailableError)
    return refusal('unavailable', { headers: { 'Retry-After': `${error.retryAfter}` } })
  if (isDatabaseUnavailable(error)) {
    log.warn({ id }, 'the database is not available')
    return refusal('unavailable', { headers: { 'Retry-After': '1' } })
  }
  log.error({ id, err: error }, 'request failed')
  return refusal('internal')
}
