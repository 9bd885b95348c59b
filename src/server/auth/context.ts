import type { Logger } from 'pino'
import type pg from 'pg'
import type { HttpRequest, HttpResponse } from '#server/http/exchange.ts'
import type { HashQueue } from './hash-queue.ts'
import type { FactorLimits } from '#server/auth/factors/factor-limits.ts'
import type { Seal } from '#server/auth/factors/seal.ts'
import type { SendSms } from '#server/auth/factors/sms.ts'
import type { MailQueue } from '#server/auth/mail/queue.ts'
import type { Keys } from './keys.ts'
import type { MailLimits } from './mail-limits.ts'
import type { RateLimits } from './rate-limits.ts'
import type { SessionLife } from './session-life.ts'
import type { Tokens } from './tokens.ts'

/** What an operator decides about accounts. */
export interface AuthConfig {
  signUp: 'open' | 'invited' | 'closed'
  emailConfirmation: boolean
  /** Attempts per address and five minutes; 0: no limits. */
  authRateLimit: number
  /** Mails that people can ask for, an hour, to all recipients together; 0: as many as they like. */
  mailLimit: number
  /** Text messages an hour, to all phones together; 0: as many as people ask for. */
  smsLimit: number
  /** Days after which a session ends that nobody uses; 0: never. */
  sessionIdleDays: number
  /** Days after which every session ends; 0: never. */
  sessionMaxDays: number
  /** Where codes for phones go; undefined: into the outbox folder of `dataDir`. */
  smsHookUrl: string | undefined
  /** Absolute. */
  dataDir: string
}

/** What every verb of auth works with. */
export interface AuthContext {
  /** The owner's pool: auth's own tables. */
  db: pg.Pool
  config: AuthConfig
  keys: Keys
  tokens: Tokens
  hashQueue: HashQueue
  limits: RateLimits
  sessionLife: SessionLife
  mail: MailQueue
  mailLimits: MailLimits
  factorLimits: FactorLimits
  /** Closes what second factors keep. */
  seal: Seal
  sendSms: SendSms
  /** The origin by which people reach this server. */
  siteUrl: string
  log: Logger
}

/** One verb of auth. What it throws is answered in GoTrue's shape. */
export type AuthVerb = (context: AuthContext, request: HttpRequest) => Promise<HttpResponse>
