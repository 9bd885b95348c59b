import { type Device } from '#web/data/browser/device.ts'
import type { SupabaseClient } from '@supabase/supabase-js'
import { noAnswerMessage } from '#web/data/server/ask-server.ts'
import { authCall, unanswered } from './auth-call.ts'
import { type AuthOutcome, adopted, refusal } from './session.ts'

/** What a link in an e-mail is for; the names are the protocol's. */
export type LinkKind = 'signup' | 'recovery' | 'email_change' | 'invite'

/**
 * `half`: one of the two links of a changed address is done, the other is still to be opened. `joined`: the person signed in has joined
 * the brand of an invitation.
 */
export type LinkOutcome = AuthOutcome & { half?: true; joined?: true }

const sent: AuthOutcome = { ok: true, signedIn: false }

/** Mails a link that leads to a new password; the answer is the same whether or not the address has an account. */
export function askForNewPassword(device: Device, email: string): Promise<AuthOutcome> {
  return authCall(device, async (auth) => {
    const redirectTo = `${location.origin}/auth/reset`
    const { error } = await auth.resetPasswordForEmail(email.trim(), { redirectTo })
    return error ? refusal(error) : sent
  })
}

/** Mails the link of a sign-up again, or both links of a changed address. */
export function sendLinkAgain(device: Device, kind: 'signup' | 'email_change', email: string): Promise<AuthOutcome> {
  return authCall(device, async (auth) => {
    const options = { emailRedirectTo: `${location.origin}/select-brand` }
    const { error } = await auth.resend({ type: kind, email: email.trim(), options })
    return error ? refusal(error) : sent
  })
}

/** Spends the token of a link: the click that a link scanner does not make. Code `otp_expired`: used, too old or not ours. */
export function redeemLink(device: Device, tokenHash: string, kind: LinkKind): Promise<LinkOutcome> {
  return authCall(device, async (auth): Promise<LinkOutcome> => {
    const { data, error } = await auth.verifyOtp({ token_hash: tokenHash, type: kind })
    if (error && kind === 'invite' && error.code === 'user_already_exists')
      return (await joinByLink(device, auth, tokenHash)) ?? refusal(error)
    if (error) return refusal(error)
    return data.session ? adopted(device, data.session) : { ok: true, signedIn: false, half: true }
  })
}

/**
 * The invitation of somebody who has an account is theirs while they are signed in with it: the link goes with their token, which the
 * client's own call leaves out. Null: nobody is signed in, or a backend that knows no such thing.
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
  if (!answer) return unanswered
  const said = (await answer.json().catch(() => ({}))) as { joined?: string; error_code?: string; msg?: string }
  if (answer.ok) return { ok: true, signedIn: true, joined: true }
  if (said.error_code === 'user_already_exists') return null
  return { ok: false, message: said.msg ?? noAnswerMessage, code: said.error_code ?? null }
}
