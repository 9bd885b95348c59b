import { refusal } from '#server/http/errors.ts'
import type { HttpRequest } from '#server/http/exchange.ts'
import type { SignedIn } from './authenticate.ts'
import type { AuthContext } from './context.ts'
import { networkOf } from '#server/http/network.ts'
import { spendCode } from './one-time-tokens.ts'
import { verifyPassword } from './passwords.ts'
import { isLiving } from './session-life.ts'
import type { Querier } from './users.ts'

/** How long a sign-in stands for the password. Seconds. */
const proofLifeSeconds = 300

/** How long the link that was mailed for a forgotten password does. Seconds. */
const recoveryLifeSeconds = 3600

const proofLives: Readonly<Record<string, number>> = {
  password: proofLifeSeconds,
  otp: proofLifeSeconds,
  recovery: recoveryLifeSeconds,
  invite: recoveryLifeSeconds,
}

/** What is to be changed, as the refusal names it. */
type Changed = 'password' | 'e-mail address'

const refusalMessages = {
  password: 'The current password is needed to set a new one',
  'e-mail address': 'The current password is needed to change the e-mail address',
} as const satisfies Record<Changed, string>

interface Given {
  current_password?: string | null | undefined
  nonce?: string | null | undefined
}

/**
 * Throws unless the person has proved themselves for this change: by the password, by a code that was mailed (`nonce`), or by a
 * sign-in or a recovery link a moment ago. Who has no password yet sets the first one without. A wrong password counts as a
 * failed sign-in: this is no second place to guess at.
 */
export async function proveAgain(
  context: AuthContext,
  request: HttpRequest,
  signedIn: SignedIn,
  { current_password: password, nonce }: Given,
  changed: Changed,
): Promise<void> {
  const { user } = signedIn
  if (password) return provePassword(context, request, signedIn, password)
  if (changed === 'password' && user.encrypted_password === null) return
  if (nonce) {
    if (await spendCode(context.db, user.id, nonce)) return
    throw refusal('reauthentication_not_valid')
  }
  const now = Date.now() / 1000
  // Timestamps are whole seconds and may lie just ahead of now. A method that is not listed proves nothing, whatever its time.
  const isFresh = signedIn.amr.some(({ method, timestamp }) => {
    const life = proofLives[method]
    return life !== undefined && now - timestamp < life
  })
  if (!isFresh) throw refusal('current_password_required', { message: refusalMessages[changed] })
}

async function provePassword(
  { db, hashQueue, limits }: AuthContext,
  request: HttpRequest,
  { user }: SignedIn,
  password: string,
): Promise<void> {
  const account = user.email ?? user.id
  await hashQueue.run({ account, network: networkOf(request.ip) }, async () => {
    await limits.countGuess(db, account, request.ip)
    if (!(await verifyPassword(user.encrypted_password, password))) throw refusal('current_password_invalid')
    await limits.countRight(db, account, request.ip)
  })
}

/**
 * Locks the user for the rest of the transaction. Throws where the session has ended, or where address or password are not those
 * any more that were proved: somebody else was faster.
 */
export async function holdProved(
  { sessionLife }: AuthContext,
  db: Querier,
  { user, sessionId }: SignedIn,
): Promise<void> {
  const { rows } = await db.query<{ is_same: boolean }>(
    `select email is not distinct from $2 and nullif(encrypted_password, '') is not distinct from $3 as is_same
     from auth.users where id = $1 for no key update`,
    [user.id, user.email, user.encrypted_password],
  )
  const { rowCount } = await db.query(
    `select from auth.sessions s where s.id = $1 and s.user_id = $2 and ${isLiving('$3', '$4')}`,
    [sessionId, user.id, sessionLife.idleDays, sessionLife.maxDays],
  )
  if (!rowCount) throw refusal('session_not_found')
  if (!rows[0]?.is_same) throw refusal('current_password_required', { message: concurrentChangeMessage })
}

const concurrentChangeMessage = 'Password or e-mail address were changed in the same moment. Sign in again'
