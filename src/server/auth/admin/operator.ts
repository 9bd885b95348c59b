import type pg from 'pg'
import { recordEvent } from '#server/auth/audit.ts'
import { removeFactors } from '#server/auth/factors/unenroll-factor.ts'
import { linkUrl } from '#server/auth/mail/link.ts'
import { createLinkToken } from '#server/auth/one-time-tokens.ts'
import { reportSessionsEnded } from '#server/auth/product-sql.ts'
import { confirmUser } from '#server/auth/confirm-user.ts'
import { isPlainEmail } from '#server/auth/read-input.ts'
import { inTransaction } from '#server/auth/transaction.ts'
import { findUserByEmail, type Querier, type UserRow } from '#server/auth/users.ts'

/**
 * What the operator's commands need: the database, the secret and the site's URL. Anybody who may start the server may run
 * these commands. Each change is recorded in the audit log with `by: operator`.
 */
export interface Operator {
  db: pg.Pool
  /** The installation's secret, from its key file. */
  secret: Buffer
  siteUrl: string
}

const operatorDetails = { by: 'operator' }

/** Returns the account with this e-mail address. Throws an error with a clear message if no account has the address. */
export async function requireAccount(db: Querier, email: string): Promise<UserRow> {
  const normalizedEmail = email.trim().toLowerCase()
  const user = await findUserByEmail(db, normalizedEmail)
  if (user !== null) return user
  if (!isPlainEmail(normalizedEmail))
    throw new Error(
      'The e-mail address contains characters that cannot be seen or that look like others. Type it again.',
    )
  throw new Error(`Nobody has an account with ${email}.`)
}

export interface AccountLine {
  email: string
  created: Date
  lastSignIn: Date | null
  isConfirmed: boolean
  isBlocked: boolean
  /** Number of verified factors. A set of recovery codes counts as one. */
  factors: number
  /** Number of sessions that have not expired. */
  sessions: number
}

/** Returns the accounts whose e-mail address contains `text`, newest first, at most 1,000. */
export async function listAccounts({ db }: Operator, text: string): Promise<AccountLine[]> {
  const { rows } = await db.query<AccountLine>(
    `select u.email, u.created_at as created, u.last_sign_in_at as "lastSignIn", u.email_confirmed_at is not null as "isConfirmed",
       coalesce(u.banned_until > now(), false) as "isBlocked",
       (select count(*) from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified')::int as factors,
       (select count(*) from auth.sessions s where s.user_id = u.id and (s.not_after is null or s.not_after > now()))::int as sessions
     from auth.users u where u.deleted_at is null and strpos(coalesce(u.email, ''), lower($1)) > 0
     order by u.created_at desc limit 1000`,
    [text],
  )
  return rows
}

export interface SessionLine {
  since: Date
  lastSeen: Date
  /** The IP address from which the session started. */
  address: string | null
  /** The assurance level: aal1 or aal2. */
  level: string
  /** The header User-Agent of the sign-in. */
  device: string | null
}

/**
 * Returns the sessions of an account, the most recently used first, including expired sessions that are not deleted yet.
 * Throws if the e-mail address has no account.
 */
export async function listSessions({ db }: Operator, email: string): Promise<SessionLine[]> {
  const { id } = await requireAccount(db, email)
  const { rows } = await db.query<SessionLine>(
    `select created_at as since, greatest(created_at, refreshed_at at time zone 'utc') as "lastSeen", host(ip) as address,
       coalesce(aal::text, 'aal1') as level, user_agent as device
     from auth.sessions where user_id = $1 order by 2 desc`,
    [id],
  )
  return rows
}

/** Ends all sessions of the account. Returns the number of deleted sessions, including expired ones. */
export async function endSessions({ db }: Operator, email: string): Promise<number> {
  const user = await requireAccount(db, email)
  const { rowCount } = await db.query('delete from auth.sessions where user_id = $1', [user.id])
  await reportSessionsEnded(db, user.id)
  await recordEvent(db, null, { action: 'logout', user, traits: operatorDetails })
  return rowCount ?? 0
}

/** Returns a link for setting a new password. It works once, within one hour. The operator must pass it on safely. */
export async function resetPassword({ db, secret, siteUrl }: Operator, email: string): Promise<string> {
  const user = await requireAccount(db, email)
  const token = await createLinkToken(db, secret, {
    userId: user.id,
    kind: 'recovery_token',
    relatesTo: user.email ?? '',
  })
  await recordEvent(db, null, { action: 'user_recovery_requested', user, traits: operatorDetails })
  return linkUrl(siteUrl, token, secret)
}

/** Marks the e-mail address as confirmed. The account keeps the password of the first sign-up with this address. */
export async function confirmAddress({ db }: Operator, email: string): Promise<void> {
  const user = await requireAccount(db, email)
  await inTransaction(db, async (client) => {
    await confirmUser(client, user.id)
    await recordEvent(client, null, { action: 'user_confirmed', user, traits: operatorDetails })
  })
}

/**
 * Deletes the second factor with this name. If `name` is undefined, deletes all second factors and recovery codes. Returns
 * the number of factors that match (a set of recovery codes is one). Recovery codes that are deleted because no factor is
 * left (`removeFactors`) are not counted. Throws if no factor matches.
 */
export async function deleteFactors({ db }: Operator, email: string, name: string | undefined): Promise<number> {
  const user = await requireAccount(db, email)
  return inTransaction(db, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      'select id from auth.mfa_factors where user_id = $1 and ($2::text is null or friendly_name = $2)',
      [user.id, name ?? null],
    )
    if (rows.length === 0)
      throw new Error(`${email} has no ${name === undefined ? 'second factor' : `factor '${name}'`}.`)
    await removeFactors(
      client,
      user.id,
      rows.map(({ id }) => id),
    )
    await recordEvent(client, null, {
      action: 'factor_deleted',
      user,
      traits: { ...operatorDetails, name: name ?? '' },
    })
    return rows.length
  })
}

/**
 * Blocks the account, or unblocks it (`isBlocked` false). A blocked account cannot sign in. When it is blocked, its sessions
 * end and its mailed links become invalid.
 */
export async function setAccountBlocked({ db }: Operator, email: string, isBlocked: boolean): Promise<void> {
  const user = await requireAccount(db, email)
  await inTransaction(db, async (client) => {
    await client.query('update auth.users set banned_until = $2, updated_at = now() where id = $1', [
      user.id,
      isBlocked ? 'infinity' : null,
    ])
    if (isBlocked) {
      await client.query('delete from auth.sessions where user_id = $1', [user.id])
      await reportSessionsEnded(client, user.id)
    }
    await recordEvent(client, null, {
      action: isBlocked ? 'user_banned' : 'user_unbanned',
      user,
      traits: operatorDetails,
    })
  })
}

export interface AuditLine {
  at: Date
  action: string
  /** The IP address of the request. Empty for a command of the operator. */
  address: string
  /** The details of the entry (`traits`) as JSON text. Empty if it has none. */
  more: string
}

/** Returns the newest `maxLines` audit log entries of this account, newest first. */
export async function readAudit({ db }: Operator, email: string, maxLines: number): Promise<AuditLine[]> {
  const { id } = await requireAccount(db, email)
  const { rows } = await db.query<AuditLine>(
    `select created_at as at, payload ->> 'action' as action, ip_address as address, coalesce(payload ->> 'traits', '') as more
     from auth.audit_log_entries where payload ->> 'actor_id' = $1 order by created_at desc limit $2`,
    [id, maxLines],
  )
  return rows
}
