import { createHash, randomUUID } from 'node:crypto'
import { codeFromId, type LinkType, linkToken, readLinkToken } from '#server/auth/mail/link.ts'
import type { Querier } from './users.ts'

/**
 * The kinds of one-time tokens in mailed links, by their name in the database (`token_type`). Each has the type of its link
 * and its life in hours.
 */
const tokenKinds = {
  confirmation_token: { type: 'signup', hours: 24 },
  recovery_token: { type: 'recovery', hours: 1 },
  email_change_token_new: { type: 'email_change', hours: 24 },
  email_change_token_current: { type: 'email_change', hours: 24 },
} as const satisfies Record<string, { type: LinkType; hours: number }>

export type TokenKind = keyof typeof tokenKinds

export interface SpentToken {
  userId: string
  kind: TokenKind
  /** The e-mail address for which the token was created: the account's address, or the new address if the user is changing it. */
  relatesTo: string
  /**
   * The hash of the password that the person chose at the sign-up for which the link was mailed. Null if no password belongs to
   * the token.
   */
  passwordHash: string | null
}

interface NewToken {
  userId: string | null
  kind: TokenKind
  relatesTo: string
  passwordHash?: string | null
}

/**
 * Creates a token for a user. The token becomes invalid if the account's e-mail address or password changes (`made_for`), or if
 * its second factors change (then triggers delete the token). If `userId` is null, the function does the same work and creates
 * a token that is never valid. Older tokens of the same kind stay valid: otherwise anybody could invalidate a person's link by
 * requesting another mail. Returns the data for the link of the mail.
 */
export async function createLinkToken(
  db: Querier,
  secret: Buffer,
  { userId, kind, relatesTo, passwordHash }: NewToken,
): Promise<{ type: LinkType; id: string }> {
  const { type, hours } = tokenKinds[kind]
  const id = randomUUID()
  await db.query({
    name: 'auth-token-insert',
    text: `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, expires_at, password_hash, made_for)
           values ($1, $2, $3, $4, $5, now() + make_interval(hours => $6), $7, auth.credentials_digest($2))`,
    values: [id, userId, kind, hash(linkToken(type, id, secret)), relatesTo, hours, passwordHash ?? null],
  })
  return { type, id }
}

interface TokenRow {
  user_id: string
  token_type: TokenKind
  relates_to: string
  password_hash: string | null
}

/**
 * Consumes a link's token and deletes the user's other tokens of this kind. Returns null if the token is forged, expired,
 * deleted or used, or if the account's e-mail address or password has changed. Call it inside a transaction: the user stays
 * locked until the end of the transaction, so that address and password cannot change.
 */
export async function spendLinkToken(
  db: Querier,
  secret: Buffer,
  type: LinkType,
  token: string,
): Promise<SpentToken | null> {
  const id = readLinkToken(type, token, secret)
  if (id === null) return null
  await db.query(
    `select from auth.users where id = (select user_id from auth.one_time_tokens where id = $1) for no key update`,
    [id],
  )
  const { rows } = await db.query<TokenRow>(
    `delete from auth.one_time_tokens
     where id = $1 and token_hash = $2 and expires_at > now() and made_for = auth.credentials_digest(user_id)
     returning user_id, token_type, relates_to, password_hash`,
    [id, hash(token)],
  )
  const [row] = rows
  if (row === undefined || tokenKinds[row.token_type]?.type !== type) return null
  await deleteTokens(db, row.user_id, [row.token_type])
  return { userId: row.user_id, kind: row.token_type, relatesTo: row.relates_to, passwordHash: row.password_hash }
}

/** Deletes a user's unused tokens of these kinds. */
export async function deleteTokens(db: Querier, userId: string, kinds: readonly TokenKind[]): Promise<void> {
  await db.query(
    'delete from auth.one_time_tokens where user_id = $1 and token_type = any ($2::auth.one_time_token_type[])',
    [userId, kinds],
  )
}

const codeLifeMinutes = 10
const maxCodeAttempts = 5

/**
 * Creates a six-digit code for a user. The code is valid only while the account has its current e-mail address and
 * password. Returns the id from which the mail derives the code.
 */
export async function createCode(db: Querier, secret: Buffer, userId: string, email: string): Promise<{ id: string }> {
  const id = randomUUID()
  await db.query(
    `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, expires_at, made_for)
     values ($1, $2, 'reauthentication_token', $3, $4, now() + make_interval(mins => $5), auth.credentials_digest($2))`,
    [id, userId, hash(`${id} ${codeFromId(id, secret)}`), email, codeLifeMinutes],
  )
  return { id }
}

/**
 * Consumes a mailed code and returns true. Returns false if `code` was not mailed to this user or is no longer valid. Each
 * call counts as an attempt on all valid codes of the user; a code is valid for five attempts. Pass the pool, not the
 * connection of a transaction: a rollback would undo the count of attempts.
 */
export async function spendCode(db: Querier, userId: string, code: string): Promise<boolean> {
  const { rows } = await db.query<{ id: string; token_hash: string }>(
    `update auth.one_time_tokens set attempts = attempts + 1
     where user_id = $1 and token_type = 'reauthentication_token' and expires_at > now() and attempts < $2
     returning id, token_hash`,
    [userId, maxCodeAttempts],
  )
  const match = rows.find(({ id, token_hash }) => hash(`${id} ${code}`) === token_hash)
  if (match === undefined) return false
  const { rowCount } = await db.query(
    'delete from auth.one_time_tokens where id = $1 and made_for = auth.credentials_digest(user_id)',
    [match.id],
  )
  return rowCount === 1
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
