import { refusal } from '#server/http/errors.ts'
import type { HttpRequest } from '#server/http/exchange.ts'
import type { SignedInUser } from './authenticate.ts'
import type { AuthContext } from './context.ts'
import { networkOf } from '#server/http/network.ts'
import { spendCode } from './one-time-tokens.ts'
import { verifyPassword } from './passwords.ts'
import { activeSessionSql } from './session-life.ts'
import type { Querier } from './users.ts'

/** Time for which a sign-in, with the password or by a link that confirms an address, counts as a proof (seconds). */
const proofLifeSeconds = 300

/**
 * Time for which a link that resets a password, or an invitation's link, counts as a proof of who the user is (seconds).
 */
const recoveryLifeSeconds = 3600

const proofLifeSecondsByMethod: Readonly<Record<string, number>> = {
  password: proofLifeSeconds,
  otp: proofLifeSeconds,
  recovery: recoveryLifeSeconds,
  invite: recoveryLifeSeconds,
}

/** The field that the request changes, by its name in the error message. */
type ChangedField = 'password' | 'email address'

const refusalMessages = {
  password: 'The current password is needed to set a new one',
  'email address': 'The current password is needed to change the email address',
} as const satisfies Record<ChangedField, string>

interface GivenProof {
  current_password?: string | null | undefined
  nonce?: string | null | undefined
}

/**
 * Throws unless the user proves who they are. A user without a password may set one without a proof.
 * - If a password is given, only the password counts. A wrong password counts as a failed sign-in, so that guesses of the
 *   password are limited here too.
 * - Otherwise, if a mailed code (`nonce`) is given, only the code counts.
 * - Otherwise, a recent sign-in or a recently opened mailed link (`proofLifeSecondsByMethod`) is the proof.
 */
export async function requireFreshProof(
  context: AuthContext,
  request: HttpRequest,
  signedIn: SignedInUser,
  { current_password: password, nonce }: GivenProof,
  changed: ChangedField,
): Promise<void> {
  const { user } = signedIn
  if (password) return provePassword(context, request, signedIn, password)
  if (changed === 'password' && user.encrypted_password === null) return
  if (nonce) {
    if (await spendCode(context.db, user.id, nonce)) return
    throw refusal('reauthentication_not_valid')
  }
  const now = Date.now() / 1000
  // A timestamp is rounded to whole seconds, so it may be slightly in the future. A method that `proofLifeSecondsByMethod` does not
  // list is no proof.
  const isFresh = signedIn.amr.some(({ method, timestamp }) => {
    const lifeSeconds = proofLifeSecondsByMethod[method]
    return lifeSeconds !== undefined && now - timestamp < lifeSeconds
  })
  if (!isFresh) throw refusal('current_password_required', { message: refusalMessages[changed] })
}

async function provePassword(
  { db, hashQueue, limits }: AuthContext,
  request: HttpRequest,
  { user }: SignedInUser,
  password: string,
): Promise<void> {
  const account = user.email ?? user.id
  await hashQueue.run({ account, network: networkOf(request.ip) }, async () => {
    await limits.countPasswordAttempt(db, account, request.ip)
    if (!(await verifyPassword(user.encrypted_password, password))) throw refusal('current_password_invalid')
    await limits.countSuccess(db, account, request.ip)
  })
}

/**
 * Locks the user until the end of the transaction. Throws if the session has ended, or if the e-mail address or the
 * password has changed since `authenticate`.
 */
export async function lockUnchangedUser(
  { sessionLife }: AuthContext,
  db: Querier,
  { user, sessionId }: SignedInUser,
): Promise<void> {
  const { rows } = await db.query<{ is_same: boolean }>(
    `select email is not distinct from $2 and nullif(encrypted_password, '') is not distinct from $3 as is_same
     from auth.users where id = $1 for no key update`,
    [user.id, user.email, user.encrypted_password],
  )
  const { rowCount } = await db.query(
    `select from auth.sessions s where s.id = $1 and s.user_id = $2 and ${activeSessionSql('$3', '$4')}`,
    [sessionId, user.id, sessionLife.idleDays, sessionLife.maxDays],
  )
  if (!rowCount) throw refusal('session_not_found')
  if (!rows[0]?.is_same) throw refusal('current_password_required', { message: concurrentChangeMessage })
}

const concurrentChangeMessage = 'The password or the email address was changed at the same moment. Sign in again'
