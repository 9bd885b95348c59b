import { refusal } from '#server/http/errors.ts'
import type { HttpRequest } from '#server/http/exchange.ts'
import { recordEvent } from './audit.ts'
import type { AuthContext } from './context.ts'
import { createLinkToken, deleteTokens, type SpentToken } from './one-time-tokens.ts'
import { findUserByEmail, type Querier, type UserRow } from './users.ts'

/** Values of `email_change_confirm_status`: which of the two addresses has confirmed the change. */
const confirmedByCurrent = 1
const confirmedByNew = 2

/**
 * Stores the new e-mail address of a user, and mails a link to the current and to the new address. The address changes when
 * both links were opened. Call it inside a transaction.
 */
export async function startEmailChange(
  context: AuthContext,
  db: Querier,
  user: UserRow,
  { email, next }: { email: string; next: string },
): Promise<void> {
  await deleteTokens(db, user.id, ['email_change_token_current', 'email_change_token_new'])
  await db.query(
    `update auth.users set email_change = $2, email_change_sent_at = now(), email_change_confirm_status = 0,
       updated_at = now() where id = $1`,
    [user.id, email],
  )
  await mailEmailChange(context, db, { ...user, email_change: email, email_change_confirm_status: 0 }, next)
}

/** Ends a requested change of a user's e-mail address, and deletes the tokens of its links. Call it inside a transaction. */
export async function cancelEmailChange(db: Querier, userId: string): Promise<void> {
  // The user is locked first and the tokens second, as in `spendLinkToken`. Another order could deadlock.
  await db.query(
    `update auth.users set email_change = '', email_change_confirm_status = 0, updated_at = now() where id = $1`,
    [userId],
  )
  await deleteTokens(db, userId, ['email_change_token_current', 'email_change_token_new'])
}

/**
 * Mails a link to the current and to the new e-mail address, but not to an address that has confirmed the change already.
 * The links of both mails contain the account's current address.
 */
export async function mailEmailChange(
  { keys, mail }: AuthContext,
  db: Querier,
  user: UserRow,
  next: string,
): Promise<void> {
  const [current, newEmail] = [user.email ?? '', user.email_change ?? '']
  const createToken = (kind: 'email_change_token_current' | 'email_change_token_new') =>
    createLinkToken(db, keys.refreshSecret, { userId: user.id, kind, relatesTo: newEmail })
  if (user.email_change_confirm_status !== confirmedByCurrent) {
    const link = { ...(await createToken('email_change_token_current')), next, email: current }
    await mail.queue(db, { template: 'email-change-current', recipient: current, data: { link, new_email: newEmail } })
  }
  if (user.email_change_confirm_status !== confirmedByNew) {
    const link = { ...(await createToken('email_change_token_new')), next, email: current }
    await mail.queue(db, { template: 'email-change-new', recipient: newEmail, data: { link, old_email: current } })
  }
}

/**
 * Records that the user has confirmed the change by the link to one of the two e-mail addresses. Returns 'done' if the address
 * is now changed, 'half' if the other link was not opened yet, 'stale' if the user no longer requests this new address.
 * Throws email_exists if another account has the new address by now. `sessionId` is the id of the session that the link starts.
 */
export async function confirmEmailChange(
  { mail }: AuthContext,
  db: Querier,
  request: HttpRequest,
  { userId, kind, relatesTo, sessionId }: SpentToken & { sessionId: string },
): Promise<'done' | 'half' | 'stale'> {
  const { rows } = await db.query<{ email: string; email_change: string; email_change_confirm_status: number }>(
    'select email, email_change, email_change_confirm_status from auth.users where id = $1 for update',
    [userId],
  )
  const [user] = rows
  if (user === undefined || user.email_change !== relatesTo) return 'stale'
  const confirmedBy = kind === 'email_change_token_current' ? confirmedByCurrent : confirmedByNew
  if (user.email_change_confirm_status === 0 || user.email_change_confirm_status === confirmedBy) {
    await db.query('update auth.users set email_change_confirm_status = $2 where id = $1', [userId, confirmedBy])
    return 'half'
  }
  if (await findUserByEmail(db, relatesTo)) throw refusal('email_exists')
  await writeEmail(db, request, { userId, email: relatesTo, sessionId })
  await mail.queue(db, { template: 'email-changed', recipient: user.email, data: { new_email: relatesTo } })
  return 'done'
}

/** Changes the e-mail address of the user and of the identity. Throws email_exists if the address has an account. */
export async function writeEmail(
  db: Querier,
  request: HttpRequest,
  { userId, email, sessionId }: { userId: string; email: string; sessionId: string },
): Promise<void> {
  try {
    await db.query(
      `update auth.users set email = $2, email_change = '', email_change_confirm_status = 0, updated_at = now()
       where id = $1`,
      [userId, email],
    )
  } catch (error) {
    if ((error as { code?: string }).code === '23505') throw refusal('email_exists')
    throw error
  }
  await db.query(
    `update auth.identities set identity_data = identity_data || jsonb_build_object('email', $2::text), updated_at = now()
     where user_id = $1 and provider = 'email'`,
    [userId, email],
  )
  await recordEvent(db, request, { action: 'user_modified', user: { id: userId, email }, sessionId })
}
