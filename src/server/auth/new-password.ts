import { refusal } from '#server/http/errors.ts'
import type { HttpRequest } from '#server/http/exchange.ts'
import type { SignedIn } from './authenticate.ts'
import type { AuthContext } from './context.ts'
import { spendCode } from './one-time-tokens.ts'
import { checkNewPassword, hashPassword, verifyPassword } from './passwords.ts'

/** How long a sign-in stands for the old password. Seconds. */
const FRESH = 300

/** How long the link that was mailed for a forgotten password does. Seconds. */
const RECOVERING = 3600

const PROOFS: Readonly<Record<string, number>> = {
  password: FRESH,
  otp: FRESH,
  recovery: RECOVERING,
  invite: RECOVERING,
}

interface Given {
  password: string
  current_password?: string | null | undefined
  nonce?: string | null | undefined
}

/**
 * The hash of a new password, once the old one is proved: by itself, by a code that was mailed (`nonce`), or by a sign-in or
 * a recovery link a moment ago. Wrong old passwords count as failed sign-ins: this is no second place to guess at.
 */
export async function provePassword(
  context: AuthContext,
  request: HttpRequest,
  signedIn: SignedIn,
  given: Given,
): Promise<string> {
  checkNewPassword(given.password)
  const { db, hashQueue, limits } = context
  const { user } = signedIn
  const account = user.email ?? user.id
  if (given.current_password) await limits.refuseThrottled(db, account, request.ip)
  else await refuseUnproved(context, signedIn, given.nonce)
  return hashQueue.run(account, async () => {
    if (given.current_password && !(await verifyPassword(user.encrypted_password, given.current_password))) {
      await limits.countFailure(db, account, request.ip)
      throw refusal('current_password_invalid')
    }
    if (await verifyPassword(user.encrypted_password, given.password)) throw refusal('same_password')
    return hashPassword(given.password)
  })
}

async function refuseUnproved(
  { db }: AuthContext,
  { user, amr }: SignedIn,
  nonce: string | null | undefined,
): Promise<void> {
  if (user.encrypted_password === null) return
  if (nonce) {
    if (await spendCode(db, user.id, nonce)) return
    throw refusal('reauthentication_not_valid')
  }
  const now = Date.now() / 1000
  const isFresh = amr.some(({ method, timestamp }) => now - timestamp < (PROOFS[method] ?? 0))
  if (!isFresh) throw refusal('current_password_required')
}
