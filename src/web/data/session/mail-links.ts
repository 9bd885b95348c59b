import type { Device } from '#web/data/browser/device.ts'
import type { SupabaseClient } from '@supabase/supabase-js'
import { noAnswerMessage } from '#web/data/server/ask-server.ts'
import { authCall, noAnswerRefusal } from './auth-call.ts'
import { textOf } from '#web/lib/read-unknown.ts'
import { replaceSession } from './replace-session.ts'
import { type AuthOutcome, adoptSession, refusal } from './session.ts'

/** The purpose of a link in an email, as the protocol names it. */
export type LinkKind = 'signup' | 'recovery' | 'email_change' | 'invite'

/**
 * The result of redeeming a link. `half`: this was the first of the two links for a changed email address; the other must be opened, too. `joined`:
 * the signed-in user has joined the brand of an invitation.
 */
export type LinkOutcome = AuthOutcome & { half?: true; joined?: true }

const sentOutcome: AuthOutcome = { ok: true, signedIn: false }

/** Sends an email with a link to set a new password. The answer does not show if the account exists. */
export function requestPasswordReset(device: Device, email: string): Promise<AuthOutcome> {
  return authCall(device, async (auth) => {
    const redirectTo = `${location.origin}/auth/reset`
    const { error } = await auth.resetPasswordForEmail(email.trim(), { redirectTo })
    return error ? refusal(error) : sentOutcome
  })
}

/** Sends the link of a sign-up, or both links for a changed email address, again. */
export function sendLinkAgain(device: Device, kind: 'signup' | 'email_change', email: string): Promise<AuthOutcome> {
  return authCall(device, async (auth) => {
    const options = { emailRedirectTo: `${location.origin}/select-brand` }
    const { error } = await auth.resend({ type: kind, email: email.trim(), options })
    return error ? refusal(error) : sentOutcome
  })
}

/** Redeems the token of a link. Call it after a click, because mail scanners open links. Code `otp_expired`: used, too old or unknown. */
export function redeemLink(device: Device, tokenHash: string, kind: LinkKind): Promise<LinkOutcome> {
  return authCall(device, async (auth): Promise<LinkOutcome> => {
    const { data, error } = await replaceSession(auth, () => auth.verifyOtp({ token_hash: tokenHash, type: kind }))
    if (error && kind === 'invite' && error.code === 'user_already_exists')
      return (await joinByLink(device, auth, tokenHash)) ?? refusal(error)
    if (error) return refusal(error)
    return data.session ? adoptSession(device, data.session) : { ok: true, signedIn: false, half: true }
  })
}

/**
 * Accepts an invitation with the account of the signed-in user. Sends the user's token, which the client's own call leaves out. Returns null if
 * nobody is signed in, or if the backend does not support this.
 */
async function joinByLink(
  device: Device,
  auth: SupabaseClient['auth'],
  tokenHash: string,
): Promise<LinkOutcome | null> {
  const { data } = await auth.getSession()
  if (!data.session) return null
  const { url, publishableKey } = device.readBackend()
  const answer = await device
    .fetch(`${url}/auth/v1/verify`, {
      method: 'POST',
      headers: {
        apikey: publishableKey,
        authorization: `Bearer ${data.session.access_token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ type: 'invite', token_hash: tokenHash }),
    })
    .catch(() => null)
  if (!answer) return noAnswerRefusal
  const body: unknown = await answer.json().catch(() => null)
  if (answer.ok) return { ok: true, signedIn: true, joined: true }
  const code = textOf(body, 'error_code')
  return code === 'user_already_exists' ? null : { ok: false, message: textOf(body, 'msg') ?? noAnswerMessage, code }
}
