import { authCall, type Refused } from './auth-call.ts'
import { type Factor, type SecondFactors, adoptStored, passkeyRefusal, secondFactorsOf } from './second-factor.ts'
import { onlineValue } from './online-value.ts'
import { type AuthOutcome, refusal } from './session.ts'
import { loadClient } from './load-client.ts'

/** What an authenticator app needs: the picture (an address for <img>), or the secret as text. */
export interface NewApp {
  ok: true
  factorId: string
  qrCode: string
  secret: string
}

/** The factors of the signed-in user as the server has them now. */
export const mySecondFactors = onlineValue<SecondFactors>(async () => {
  const { data, error } = await (await loadClient()).auth.getUser()
  if (error) throw new Error(refusal(error).message)
  return secondFactorsOf(data.user.factors ?? [])
})

/** Begins with an authenticator app; it counts when a code of it was verified. Code `mfa_factor_name_conflict`: the name is taken. */
export function enrolApp(name: string): Promise<NewApp | Refused> {
  return authCall(async (auth) => {
    await dropUnverified(auth, 'totp')
    const { data, error } = await auth.mfa.enroll({ factorType: 'totp', friendlyName: name, issuer: 'Banyan CRM' })
    if (error) return refusal(error)
    return { ok: true as const, factorId: data.id, qrCode: data.totp.qr_code, secret: data.totp.secret }
  })
}

/** Begins with a phone, in the form +447700900142. */
export function enrolPhone(name: string, phone: string): Promise<{ ok: true; factorId: string } | Refused> {
  return authCall(async (auth) => {
    await dropUnverified(auth, 'phone')
    const { data, error } = await auth.mfa.enroll({ factorType: 'phone', friendlyName: name, phone })
    return error ? refusal(error) : { ok: true as const, factorId: data.id }
  })
}

/** Makes a passkey or registers a security key; the browser asks the person. Code `cancelled` when they did not go on. */
export function enrolPasskey(name: string): Promise<AuthOutcome> {
  return authCall(async (auth) => {
    await dropUnverified(auth, 'webauthn')
    const { error } = await auth.mfa.webauthn.register({ friendlyName: name })
    return error ? passkeyRefusal(error) : adoptStored()
  })
}

/** Removes a factor. The session may be asked for a code again afterwards, when it was this factor that it had shown. */
export function removeFactor(factor: Factor): Promise<AuthOutcome> {
  return authCall(async (auth) => {
    const { error } = await auth.mfa.unenroll({ factorId: factor.id })
    if (error) return refusal(error)
    // The assurance level and the factors in the token follow with the next one.
    await auth.refreshSession()
    return adoptStored()
  })
}

/** What was begun and left (a closed dialog) keeps neither its name nor its place. */
async function dropUnverified(
  auth: Parameters<Parameters<typeof authCall>[0]>[0],
  kind: Factor['kind'],
): Promise<void> {
  const { data } = await auth.getUser()
  const left = (data.user?.factors ?? []).filter((each) => each.factor_type === kind && each.status === 'unverified')
  await Promise.all(left.map(({ id }) => auth.mfa.unenroll({ factorId: id })))
}
