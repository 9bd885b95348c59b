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
  emailConfirmation: boolean
  /** Sign-in and sign-up attempts per IP address and five minutes; 0: no limits. */
  authRateLimit: number
  /** Requested mails per hour, for all recipients together; 0: no limit. */
  mailLimit: number
  /** Text messages per hour, for all phones together; 0: no limit. */
  smsLimit: number
  /** Days without use after which a session ends; 0: never. */
  sessionIdleDays: number
  /** Days after which every session ends; 0: never. */
  sessionMaxDays: number
  /** The hook that sends codes to phones. Undefined: codes are written to the outbox folder of `dataDir`. */
  smsHookUrl: string | undefined
  /** Absolute path. */
  dataDir: string
}

/** The objects that every verb of auth gets. */
export interface AuthContext {
  /** Connections of the owner role, for the tables of auth. */
  db: pg.Pool
  config: AuthConfig
  keys: Keys
  tokens: TokenSigner
  hashQueue: HashQueue
  /** Cost of the hashes of new passwords. Undefined: the usual cost. */
  hashCost: HashCost | undefined
  limits: RateLimits
  sessionLife: SessionLife
  mail: MailQueue
  mailLimits: MailLimits
  factorLimits: FactorLimits
  /** Encrypts secrets of second factors. */
  factorCipher: FactorCipher
  sendSms: SendSms
  /** The origin at which people reach this server. */
  siteUrl: string
  log: Logger
}

/** The handler of one verb of auth. An error that it throws becomes a response in GoTrue's format. */
export type AuthVerb = (context: AuthContext, request: HttpRequest) => Promise<HttpResponse>
