import { z } from 'zod'
import { LINK_TYPES, type LinkType, readLinkToken } from '#server/auth/mail/link.ts'
import { refusal } from '#server/http/errors.ts'
import { type HttpRequest, type HttpResponse, json } from '#server/http/exchange.ts'
import { confirmOwner, confirmUser } from './confirm-user.ts'
import { recordEvent } from './audit.ts'
import type { AuthContext, AuthVerb } from './context.ts'
import { agreeToEmailChange } from './email-change.ts'
import { insertIdentity, insertUser } from './new-user.ts'
import { type SpentToken, spendLinkToken } from './one-time-tokens.ts'
import { addressOfInvite } from './product-sql.ts'
import { readInput } from './read-input.ts'
import { respondSession, startSession } from './sessions.ts'
import { inTransaction } from './transaction.ts'
import { findUser, findUserByEmail, type Querier, type UserRow } from './users.ts'

const input = z.object({ type: z.string().nullish(), token_hash: z.string().nullish(), token: z.string().nullish() })

/** Who is signed in by a link, how the token says so, and whether the account begins with it; null: a second link is to come. */
type Proved = { user: UserRow; method: string; isNew: boolean } | null

type Prove = (context: AuthContext, db: Querier, token: string) => Promise<Proved>

const PROOFS: Readonly<Record<LinkType, Prove>> = {
  async signup(context, db, token) {
    const { userId, passwordHash } = await spend(context, db, 'signup', token)
    const isNew = await confirmUser(db, userId, passwordHash)
    return { user: await livingUser(db, userId), method: 'otp', isNew }
  },

  async recovery(context, db, token) {
    const { userId } = await spend(context, db, 'recovery', token)
    const user = await livingUser(db, userId)
    const isNew = user.email_confirmed_at === null && (await confirmOwner(db, userId))
    return { user: await livingUser(db, userId), method: 'recovery', isNew }
  },

  async email_change(context, db, token) {
    const spent = await spend(context, db, 'email_change', token)
    const state = await agreeToEmailChange(context, db, spent)
    if (state === 'stale') throw refusal('otp_expired')
    return state === 'half' ? null : { user: await livingUser(db, spent.userId), method: 'otp', isNew: false }
  },

  /** An invite proves an address; whoever has no account with it gets one, and sets the password next. */
  async invite({ config, keys }, db, token) {
    const id = readLinkToken('invite', token, keys.refreshSecret)
    const email = id === null ? null : await addressOfInvite(db, id)
    if (email === null) throw refusal('otp_expired')
    if (config.signUp === 'closed') throw refusal('signup_disabled')
    const known = await findUserByEmail(db, email)
    if (known && known.email_confirmed_at !== null) throw refusal('user_already_exists')
    const userId = known?.id ?? (await insertUser(db, { email, hash: null, data: {} }))
    if (userId === null) throw refusal('user_already_exists')
    await insertIdentity(db, userId, email, true)
    const isNew = await confirmOwner(db, userId)
    return { user: await livingUser(db, userId), method: 'invite', isNew }
  },
}

const HALF = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'

/**
 * POST /verify: spends the one-time token of a mail's link (`token_hash`), once. Answers a session; for the first of the two
 * links of a change of address, a sentence. 403 otp_expired for whatever is forged, spent or too old. Six-digit codes
 * (`token`) open nothing here: only links are mailed.
 */
export const verify: AuthVerb = async (context, request) => {
  const { type, token_hash: token } = readInput(request, input)
  const kind = LINK_TYPES.find((one) => one === (type === 'email' ? 'signup' : type))
  if (kind === undefined)
    throw refusal('validation_failed', { message: `Verify requires a type: ${LINK_TYPES.join(', ')}` })
  if (!token) throw refusal('otp_expired', { message: 'Token has expired or is invalid' })
  return inTransaction(context.db, (client) => answer(context, client, request, { kind, token }))
}

async function answer(
  context: AuthContext,
  db: Querier,
  request: HttpRequest,
  { kind, token }: { kind: LinkType; token: string },
): Promise<HttpResponse> {
  const proved = await PROOFS[kind](context, db, token)
  if (proved === null) return json(200, { msg: HALF, code: '200' })
  const { user, method, isNew } = proved
  if (user.banned_until !== null && user.banned_until > new Date()) throw refusal('user_banned')
  if (isNew) await recordEvent(db, request, { action: 'user_signedup', user })
  await recordEvent(db, request, { action: 'login', user, traits: { method } })
  return respondSession(context.tokens, await startSession(db, user, request, method))
}

async function spend({ keys }: AuthContext, db: Querier, type: LinkType, token: string): Promise<SpentToken> {
  const spent = await spendLinkToken(db, keys.refreshSecret, type, token)
  if (spent === null) throw refusal('otp_expired')
  return spent
}

async function livingUser(db: Querier, id: string): Promise<UserRow> {
  const user = await findUser(db, id)
  if (user === null) throw refusal('otp_expired')
  return user
}
