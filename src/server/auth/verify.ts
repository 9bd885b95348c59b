import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { linkTypes, type LinkType, readLinkToken } from '#server/auth/mail/link.ts'
import { refusal } from '#server/http/errors.ts'
import { type HttpRequest, type HttpResponse, json } from '#server/http/exchange.ts'
import { hasVerifiedFactor } from '#server/auth/factors/factor.ts'
import { insufficientLevel } from '#server/auth/factors/refusals.ts'
import { recordEvent } from './audit.ts'
import { authenticate, hasBearerToken } from './authenticate.ts'
import { confirmUserAndResetAccess, confirmUser } from './confirm-user.ts'
import type { AuthContext, AuthHandler } from './context.ts'
import { confirmEmailChange } from './email-change.ts'
import { upsertIdentity, insertUser } from './new-user.ts'
import { type SpentToken, spendLinkToken } from './one-time-tokens.ts'
import { invitedEmail, acceptInvitation } from './product-sql.ts'
import { isPlainEmail, readInput } from './read-input.ts'
import { respondSession, startSession } from './sessions.ts'
import { inTransaction } from './transaction.ts'
import { findUser, findUserByEmail, type Querier, type UserRow } from './users.ts'

const inputSchema = z.object({
  type: z.string().nullish(),
  token_hash: z.string().nullish(),
  token: z.string().nullish(),
})

/** The user whom a link signs in, the authentication method, and whether the link was the first to confirm the e-mail address. */
interface LinkUser {
  user: UserRow
  method: string
  isNew: boolean
}

/**
 * The result of a link that starts no session: the other link of an e-mail change must be opened too, or the person is signed
 * in already.
 */
interface LinkMessage {
  msg: string
  /** The id of the group (as the product defines groups) that the person has joined by the invitation. */
  joined?: string
}

interface ClickedLink {
  token: string
  /** The id of the session that the link starts. */
  sessionId: string
}

type LinkHandler = (
  context: AuthContext,
  db: Querier,
  request: HttpRequest,
  clickedLink: ClickedLink,
) => Promise<LinkUser | LinkMessage>

const handlerByType: Readonly<Record<LinkType, LinkHandler>> = {
  async signup(context, db, _, { token }) {
    const { userId, passwordHash } = await spend(context, db, 'signup', token)
    const isNew = await confirmUser(db, userId, passwordHash)
    return { user: await requireUser(db, userId), method: 'otp', isNew }
  },

  async recovery(context, db, _, { token }) {
    const { userId } = await spend(context, db, 'recovery', token)
    const user = await requireUser(db, userId)
    const isNew = user.email_confirmed_at === null && (await confirmUserAndResetAccess(db, userId))
    return { user: await requireUser(db, userId), method: 'recovery', isNew }
  },

  async email_change(context, db, request, { token, sessionId }) {
    const spentToken = await spend(context, db, 'email_change', token)
    const changeState = await confirmEmailChange(context, db, request, { ...spentToken, sessionId })
    if (changeState === 'stale') throw refusal('otp_expired')
    return changeState === 'half'
      ? { msg: otherLinkPendingMessage }
      : { user: await requireUser(db, spentToken.userId), method: 'otp', isNew: false }
  },

  /**
   * The mailed link of an invitation proves access to the mailbox. If the e-mail address has no account, an account is
   * created; an unconfirmed account is confirmed and loses its password. The person sets a password next. A person with a
   * confirmed account must sign in first; the link then only accepts the invitation.
   */
  async invite(context, db, request, { token }) {
    const { config, keys } = context
    const id = readLinkToken('invite', token, keys.refreshSecret)
    const email = id === null ? null : await invitedEmail(db, id)
    if (id === null || email === null || !isPlainEmail(email)) throw refusal('otp_expired')
    if (config.signUp === 'closed') throw refusal('signup_disabled')
    const knownUser = await findUserByEmail(db, email)
    if (knownUser && knownUser.email_confirmed_at !== null)
      return acceptInvitationOfSignedIn(context, db, request, { id, knownUser })
    const userId = knownUser?.id ?? (await insertUser(db, { email, hash: null, data: {} }))
    if (userId === null) throw refusal('user_already_exists')
    await upsertIdentity(db, userId, email, true)
    const isNew = await confirmUserAndResetAccess(db, userId)
    // If the invitation has ended since it was read above, the person is signed in without joining the group.
    const isOpen = (await invitedEmail(db, id)) !== null
    if (isOpen && (await acceptInvitation(db, id, userId)) === null) throw refusal('otp_expired')
    return { user: await requireUser(db, userId), method: 'invite', isNew }
  },
}

/**
 * Accepts an invitation to an e-mail address that has an account. Throws unless this account is signed in, has verified its
 * second factor if it has one, and the invitation is still open.
 */
async function acceptInvitationOfSignedIn(
  context: AuthContext,
  db: Querier,
  request: HttpRequest,
  { id, knownUser }: { id: string; knownUser: UserRow },
): Promise<LinkMessage> {
  if (!hasBearerToken(context, request)) throw refusal('user_already_exists')
  const { user, aal } = await authenticate({ ...context, db }, request)
  if (user.id !== knownUser.id) throw refusal('user_already_exists')
  if (aal !== 'aal2' && (await hasVerifiedFactor(db, user.id))) throw insufficientLevel(403)
  const joinedGroup = await acceptInvitation(db, id, user.id)
  if (joinedGroup === undefined) throw refusal('user_already_exists')
  if (joinedGroup === null) throw refusal('otp_expired')
  return { msg: invitationAcceptedMessage, joined: joinedGroup }
}

const invitationAcceptedMessage = 'Invitation accepted'

const otherLinkPendingMessage = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'

/**
 * POST /verify: consumes the one-time token of a mailed link (`token_hash`). Returns a session. Returns a message instead
 * for the first of the two links of a change of e-mail address, and for the invitation of a signed-in person. Throws 403
 * otp_expired for a forged, used or expired token. Six-digit codes (`token`) are not accepted, because the mails of these
 * types contain links only. The type `email` means `signup`.
 */
export const verify: AuthHandler = async (context, request) => {
  const { type, token_hash: token } = readInput(request, inputSchema)
  const kind = linkTypes.find((linkType) => linkType === (type === 'email' ? 'signup' : type))
  if (kind === undefined)
    throw refusal('validation_failed', { message: `Verify requires a type: ${linkTypes.join(', ')}` })
  if (!token) throw refusal('otp_expired', { message: 'Token has expired or is invalid' })
  // A forged token is refused without a database connection.
  if (readLinkToken(kind, token, context.keys.refreshSecret) === null) throw refusal('otp_expired')
  return inTransaction(context.db, (client) => consumeLink(context, client, request, { kind, token }))
}

async function consumeLink(
  context: AuthContext,
  db: Querier,
  request: HttpRequest,
  { kind, token }: { kind: LinkType; token: string },
): Promise<HttpResponse> {
  const sessionId = randomUUID()
  const linkResult = await handlerByType[kind](context, db, request, { token, sessionId })
  if ('msg' in linkResult) return json(200, { ...linkResult, code: '200' })
  const { user, method, isNew } = linkResult
  if (user.banned_until !== null && user.banned_until > new Date()) throw refusal('user_banned')
  if (isNew) await recordEvent(db, request, { action: 'user_signedup', user, sessionId })
  await recordEvent(db, request, { action: 'login', user, sessionId, traits: { method } })
  return respondSession(context.tokens, await startSession(context, db, request, { user, method, id: sessionId }))
}

/** Consumes the token. Throws otp_expired if it is not valid. */
async function spend({ keys }: AuthContext, db: Querier, type: LinkType, token: string): Promise<SpentToken> {
  const spentToken = await spendLinkToken(db, keys.refreshSecret, type, token)
  if (spentToken === null) throw refusal('otp_expired')
  return spentToken
}

/** Returns the user. Throws otp_expired if the user was deleted. */
async function requireUser(db: Querier, id: string): Promise<UserRow> {
  const user = await findUser(db, id)
  if (user === null) throw refusal('otp_expired')
  return user
}
