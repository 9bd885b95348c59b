import { authCall } from './auth-call.ts'
import { type AuthOutcome, adopted, refusal } from './session.ts'

/** What a link in an e-mail is for; the names are the protocol's. */
export type LinkKind = 'signup' | 'recovery' | 'email_change' | 'invite'

/** `half`: one of the two links of a changed address is done, the other is still to be opened. */
export type LinkOutcome = AuthOutcome & { half?: true }

const sent: AuthOutcome = { ok: true, signedIn: false }

/** Mails a link that leads to a new password; the answer is the same whether or not the address has an account. */
export function askForNewPassword(email: string): Promise<AuthOutcome> {
  return authCall(async (auth) => {
    const redirectTo = `${location.origin}/auth/reset`
    const { error } = await auth.resetPasswordForEmail(email.trim(), { redirectTo })
    return error ? refusal(error) : sent
  })
}

/** Mails the link of a sign-up again, or both links of a changed address. */
export function sendLinkAgain(kind: 'signup' | 'email_change', email: string): Promise<AuthOutcome> {
  return authCall(async (auth) => {
    const options = { emailRedirectTo: `${location.origin}/select-brand` }
    const { error } = await auth.resend({ type: kind, email: email.trim(), options })
    return error ? refusal(error) : sent
  })
}

/** Spends the token of a link: the click that a link scanner does not make. Code `otp_expired`: used, too old or not ours. */
export function redeemLink(tokenHash: string, kind: LinkKind): Promise<LinkOutcome> {
  return authCall(async (auth): Promise<LinkOutcome> => {
    const { data, error } = await auth.verifyOtp({ token_hash: tokenHash, type: kind })
    if (error) return refusal(error)
    return data.session ? adopted(data.session) : { ok: true, signedIn: false, half: true }
  })
}
