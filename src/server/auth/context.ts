import type { Logger } from 'pino'
import type pg from 'pg'
import type { HttpRequest, HttpResponse } from '#server/http/exchange.ts'
import type { HashQueue } from './hash-queue.ts'
import type { HashCost } from './passwords.ts'
import type { FactorLimits } from '#server/auth/factors/factor-limits.ts'
import type { Seal } from '#server/auth/factors/seal.ts'
import type { SendSms } from '#server/auth/factors/sms.ts'
import type { MailQueue } from '#server/auth/mail/queue.ts'
import type { Keys } from './keys.ts'
import type { MailLimits } from './mail-limits.ts'
import type { RateLimits } from './rate-limits.ts'
import type { SessionLife } from './session-life.ts'
import type { Tokens } from './tokens.ts'

/** The operator's settings for accounts. */
export interface AuthConfig {
  signUp: 'open' | 'invited' | 'closed'
  emailConfirmation: boolean
  /** Attempts per address and five minutes; 0: no limits. */
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

/** What every verb of auth uses. */
export interface AuthContext {
  /** The owner's pool, for auth's own tables. */
  db: pg.Pool
  config: AuthConfig
  keys: Keys
  tokens: Tokens
  hashQueue: HashQueue
  /** Undefined: the usual cost. */
  hashCost: HashCost | undefined
  limits: RateLimits
  sessionLife: SessionLife
  mail: MailQueue
  mailLimits: MailLimits
  factorLimits: FactorLimits
  /** Encrypts secrets of second factors. */
  seal: Seal
  sendSms: SendSms
  /** The origin at which people reach this server. */
  siteUrl: string
  log: Logger
}

/** One verb of auth. Errors that it throws are answered in GoTrue's format. */
export type AuthVerb = (context: AuthContext, request: HttpRequest) => Promise<HttpResponse>
