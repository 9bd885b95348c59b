import type { Logger } from 'pino'
import type pg from 'pg'
import type { HttpRequest, HttpResponse } from '#server/http/exchange.ts'
import type { HashQueue } from './hash-queue.ts'
import type { HashCost } from './passwords.ts'
import type { FactorLimits } from '#server/auth/factors/factor-limits.ts'
import type { FactorCipher } from '#server/auth/factors/factor-cipher.ts'
import type { SendSms } from '#server/auth/factors/sms.ts'
import type { MailQueue } from '#server/auth/mail/queue.ts'
import type { Keys } from './keys.ts'
import type { MailLimits } from './mail-limits.ts'
import type { RateLimits } from './rate-limits.ts'
import type { SessionLife } from './session-life.ts'
import type { TokenSigner } from './tokens.ts'

/** The operator's settings for accounts. */
export interface AuthConfig {
  signUp: 'open' | 'invited' | 'closed'
  /** Whether a new account, or a changed e-mail address, must be confirmed by a mailed link. */
  emailConfirmation: boolean
  /**
   * Maximum number of sign-ins, sign-ups and other attempts per network and five minutes. 0: no limit, and also no limits on
   * requested mails, second factors, and parallel requests of a network.
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
  /** The URL of the hook that sends codes to phones. Undefined: codes are written to the outbox folder of `dataDir`. */
  smsHookUrl: string | undefined
  /** The data directory (absolute path). */
  dataDir: string
}

/** What every handler of auth gets besides the request. */
export interface AuthContext {
  /** Connections of the owner role, for the tables of the schema auth. */
  db: pg.Pool
  config: AuthConfig
  keys: Keys
  tokens: TokenSigner
  hashQueue: HashQueue
  /** Cost of the hashes of new passwords. Undefined: the default cost. */
  hashCost: HashCost | undefined
  limits: RateLimits
  sessionLife: SessionLife
  mail: MailQueue
  mailLimits: MailLimits
  factorLimits: FactorLimits
  /** Encrypts and decrypts the secrets of second factors, and hashes their codes. */
  factorCipher: FactorCipher
  sendSms: SendSms
  /** The origin at which people reach this server. */
  siteUrl: string
  log: Logger
}

/** The handler of one method and path of auth. An error that it throws becomes a response in GoTrue's format. */
export type AuthHandler = (context: AuthContext, request: HttpRequest) => Promise<HttpResponse>
