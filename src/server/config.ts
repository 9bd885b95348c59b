import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import type { TrustProxy } from '#server/http/ip-address.ts'
import type { MetricsReaders } from '#server/http/metrics-readers.ts'

/** All settings of the server, which are read once from the environment variables. The README's table explains each of them. */
export interface Config {
  port: number
  host: string
  /** The data directory (absolute path). */
  dataDir: string
  databaseUrl: string | undefined
  /**
   * The origin at which people reach this server, without a trailing slash. Undefined: `http://` with the host
   * (`reachableHost`) and the port, which is known when the port is bound.
   */
  siteUrl: string | undefined
  publishableKey: string | undefined
  secretKey: string | undefined
  signUp: 'open' | 'invited' | 'closed'
  smtpUrl: string | undefined
  mailFrom: string | undefined
  /** Whether a new account, or a changed e-mail address, must be confirmed by a mailed link. */
  emailConfirmation: boolean
  smsHookUrl: string | undefined
  /**
   * Maximum number of sign-in and sign-up attempts per network, and of successful sign-ins per account, in five minutes. 0: no limit,
   * and also no limits on mails, text messages, attempts at a second factor, parallel requests to `/auth/v1`, and refused REST requests.
   */
  authRateLimit: number
  /** Maximum number of requested mails per hour, for all recipients together. 0: no limit. */
  mailLimit: number
  /** Maximum number of text messages per hour, for all phones together. 0: no limit. */
  smsLimit: number
  /** Number of days without use after which a session ends. 0: never. */
  sessionIdleDays: number
  /** Number of days after its start at which every session ends. 0: never. */
  sessionMaxDays: number
  trustProxy: TrustProxy
  /** The origins, besides the server's own, that may call the API. `*` allows all origins. */
  corsOrigins: readonly string[]
  maxRows: number
  /** The clients that may read `/metrics`. */
  metrics: MetricsReaders
  /** Whether pages install the service worker. If false, installed service workers remove themselves. */
  serviceWorker: boolean
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  /**
   * URL of the Supabase project that the client was built for. The page may connect to it. Undefined: the client was built
   * for this server only.
   */
  supabaseUrl: string | undefined
}

/** Thrown if a setting is not valid. The message names the variable and its valid values. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

const withMessage = (text: string) => ({ error: text })
const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' })

/** Parses a limit in days, from 0 to 36,500 (a hundred years). 0: no limit. */
const daysSchema = z.coerce
  .number(withMessage('must be a whole number of days, 0 for never'))
  .int(withMessage('must be a whole number of days, 0 for never'))
  .min(0, withMessage('must be a whole number of days, 0 for never'))
  .max(36_500, withMessage('must be a whole number of days, 0 for never'))

const variablesSchema = z.object({
  PORT: z.coerce.number(withMessage('must be a port number from 0 to 65535')).int().min(0).max(65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must look like postgres://user:password@host:5432/name' })
    .optional(),
  SITE_URL: z
    .string()
    .refine(isWebOrigin, withMessage('must be an http or https URL without a path, such as https://crm.example.com'))
    .optional(),
  PUBLISHABLE_KEY: z.string().min(20, withMessage('must have at least 20 characters')).optional(),
  SECRET_KEY: z.string().min(32, withMessage('must have at least 32 characters')).optional(),
  SIGN_UP: z.enum(['open', 'invited', 'closed'], withMessage('must be open, invited or closed')).default('open'),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must look like smtp://user:password@host:587' }).optional(),
  MAIL_FROM: z
    .string()
    .regex(/[^\s@]+@[^\s@]+/, withMessage('must contain an e-mail address, such as Acme <crm@acme.example>'))
    .optional(),
  EMAIL_CONFIRMATION: z.enum(['on', 'off', 'true', 'false'], withMessage('must be on or off')).optional(),
  SMS_HOOK_URL: webUrl.optional(),
  AUTH_RATE_LIMIT: z.coerce.number(withMessage('must be a whole number, 0 or more')).int().min(0).default(30),
  MAIL_LIMIT: z.coerce.number(withMessage('must be a whole number, 0 or more')).int().min(0).default(240),
  SMS_LIMIT: z.coerce.number(withMessage('must be a whole number, 0 or more')).int().min(0).default(60),
  SESSION_IDLE_DAYS: daysSchema.default(30),
  SESSION_MAX_DAYS: daysSchema.default(180),
  TRUST_PROXY: z.string().default('off'),
  CORS_ORIGINS: z.string().default(''),
  MAX_ROWS: z.coerce
    .number(withMessage('must be a whole number from 1 to 100000'))
    .int()
    .min(1)
    .max(100_000)
    .default(1000),
  METRICS: z.string().default('loopback'),
  SERVICE_WORKER: z.enum(['on', 'off'], withMessage('must be on or off')).default('on'),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      withMessage('must be fatal, error, warn, info, debug, trace or silent'),
    )
    .default('info'),
  VITE_SUPABASE_URL: webUrl.optional(),
})

/**
 * Reads the configuration from `environment`; an empty variable counts as unset. Throws ConfigError with one clear line
 * for the first invalid value.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const nonEmptyVariables = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = variablesSchema.safeParse(nonEmptyVariables)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const name = String(issue?.path[0] ?? 'The environment')
    throw new ConfigError(`${name} ${issue?.message ?? 'is not valid'}`)
  }
  const settings = parsed.data
  return {
    port: settings.PORT,
    host: settings.HOST,
    dataDir: resolve(settings.DATA_DIR),
    databaseUrl: settings.DATABASE_URL,
    siteUrl: settings.SITE_URL === undefined ? undefined : new URL(settings.SITE_URL).origin,
    publishableKey: settings.PUBLISHABLE_KEY,
    secretKey: settings.SECRET_KEY,
    signUp: settings.SIGN_UP,
    smtpUrl: settings.SMTP_URL,
    mailFrom: settings.MAIL_FROM,
    emailConfirmation: settings.EMAIL_CONFIRMATION
      ? ['on', 'true'].includes(settings.EMAIL_CONFIRMATION)
      : settings.SMTP_URL !== undefined,
    smsHookUrl: settings.SMS_HOOK_URL,
    authRateLimit: settings.AUTH_RATE_LIMIT,
    mailLimit: settings.MAIL_LIMIT,
    smsLimit: settings.SMS_LIMIT,
    sessionIdleDays: settings.SESSION_IDLE_DAYS,
    sessionMaxDays: settings.SESSION_MAX_DAYS,
    trustProxy: readTrustProxy(settings.TRUST_PROXY),
    corsOrigins: settings.CORS_ORIGINS.split(',')
      .map((origin) => readOrigin(origin.trim()))
      .filter((origin) => origin !== ''),
    maxRows: settings.MAX_ROWS,
    metrics: readMetricsReaders(settings.METRICS),
    serviceWorker: settings.SERVICE_WORKER === 'on',
    logLevel: settings.LOG_LEVEL,
    supabaseUrl: settings.VITE_SUPABASE_URL,
  }
}

function isWebOrigin(text: string): boolean {
  return /^https?:\/\/[^/?#]+\/?$/.test(text) && URL.canParse(text)
}

function readTrustProxy(text: string): TrustProxy {
  if (text === 'off' || text === 'false') return { hops: 0 }
  if (text === 'on' || text === 'true') return { hops: 1 }
  if (/^\d{1,2}$/.test(text)) return { hops: Number(text) }
  const addresses = text.split(',').map((address) => address.trim())
  if (addresses.every(isAddressOrRange)) return { addresses }
  throw new ConfigError(
    'TRUST_PROXY must be off, the number of proxies, or their IP addresses, such as 10.0.0.0/8,127.0.0.1',
  )
}

function readMetricsReaders(text: string): MetricsReaders {
  if (text === 'off' || text === 'loopback') return text
  const addresses = text.split(',').map((address) => address.trim())
  if (addresses.every(isAddressOrRange)) return addresses
  throw new ConfigError('METRICS must be off, loopback, or IP addresses, such as 10.0.0.0/8,192.0.2.7')
}

function isAddressOrRange(text: string): boolean {
  const [address = '', prefix = '0', ...otherParts] = text.split('/')
  const maxPrefixLength = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return otherParts.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= maxPrefixLength
}

function readOrigin(text: string): string {
  if (text === '' || text === '*') return text
  try {
    const url = new URL(text)
    if (url.origin !== 'null' && url.pathname === '/') return url.origin
  } catch {
    // The text is not a URL: the error below is thrown.
  }
  throw new ConfigError('CORS_ORIGINS must be a list of origins, such as https://app.example.com, separated by commas')
}
