import type { Device } from '#web/data/browser/device.ts'
import type { MFAVerifyWebauthnParams } from '@supabase/supabase-js'
import { authCall, type Refused } from './auth-call.ts'
import { type Factor, type SecondFactors, adoptStoredSession, secondFactorsOf, unusedPasskey } from './second-factor.ts'
import { onlineValue } from './online-value.ts'
import { type AuthOutcome, refusal } from './session.ts'
import { loadClient } from '#web/data/server/load-client.ts'

type NewCredential = MFAVerifyWebauthnParams<'create'>['webauthn']['credential_response']

/** The data for an authenticator app: the QR code (an address for <img>), or the secret as text. */
export interface NewApp {
  ok: true
  factorId: string
  qrCode: string
  secret: string
}

/** The signed-in user's factors, from the server. */
export const mySecondFactors = onlineValue<SecondFactors>(async (device) => {
  const { data, error } = await (await loadClient(device)).auth.getUser()
  if (error) throw new Error(refusal(error).message)
  return secondFactorsOf(data.user.factors ?? [])
})

/** Begins to add an authenticator app. It is valid after one of its codes was verified. Code `mfa_factor_name_conflict`: the name is taken. */
export function enrolApp(device: Device, name: string): Promise<NewApp | Refused> {
  return authCall(device, async (auth) => {
    await dropUnverified(auth, 'totp')
    const { data, error } = await auth.mfa.enroll({ factorType: 'totp', friendlyName: name, issuer: 'Banyan CRM' })
    if (error) return refusal(error)
    return { ok: true as const, factorId: data.id, qrCode: data.totp.qr_code, secret: data.totp.secret }
  })
}

/** Begins to add a phone; `phone` in the form +447700900142. */
export function enrolPhone(
  device: Device,
  name: string,
  phone: string,
): Promise<{ ok: true; factorId: string } | Refused> {
  return authCall(device, async (auth) => {
    await dropUnverified(auth, 'phone')
    const { data, error } = await auth.mfa.enroll({ factorType: 'phone', friendlyName: name, phone })
    return error ? refusal(error) : { ok: true as const, factorId: data.id }
  })
}

/**
 * Adds a passkey or a security key; the browser asks the person. Code `cancelled`: the person cancelled. Does not use the client's
 * `mfa.webauthn.register`, with which the browser offers only security keys.
 */
export function enrolPasskey(device: Device, name: string): Promise<AuthOutcome> {
  return authCall(device, async (auth) => {
    await dropUnverified(auth, 'webauthn')
    const enrolled = await auth.mfa.webauthn.enroll({ friendlyName: name })
    if (enrolled.error) return refusal(enrolled.error)
    const factorId = enrolled.data.id
    const place = { rpId: location.hostname, rpOrigins: [location.origin] }
    const { data, error } = await auth.mfa.challenge({ factorId, webauthn: place })
    if (error) return refusal(error)
    if (data.type !== 'webauthn' || data.webauthn.type !== 'create') return unusedPasskey
    const credential = await createPasskey(
      data.webauthn.credential_options.publicKey as PublicKeyCredentialCreationOptions,
    )
    if (!credential) return unusedPasskey
    const webauthn = { ...place, type: 'create' as const, credential_response: credential }
    const verified = await auth.mfa.verify({ factorId, challengeId: data.id, webauthn })
    return verified.error ? refusal(verified.error) : adoptStoredSession(device)
  })
}

/** Null where the person closed the browser's dialog, or the browser has no passkeys. */
async function createPasskey(publicKey: PublicKeyCredentialCreationOptions): Promise<NewCredential | null> {
  const credential = await navigator.credentials?.create({ publicKey }).catch(() => null)
  return credential as NewCredential | null
}

/** Removes a factor. If the session was proved with it, a code may be required again. */
export function removeFactor(device: Device, factor: Factor): Promise<AuthOutcome> {
  return authCall(device, async (auth) => {
    const { error } = await auth.mfa.unenroll({ factorId: factor.id })
    if (error) return refusal(error)
    // The next token has the new assurance level and factors.
    await auth.refreshSession()
    return adoptStoredSession(device)
  })
}

/** Removes factors that were begun and not verified (a closed dialog), so that their names are free again. */
async function dropUnverified(
  auth: Parameters<Parameters<typeof authCall>[1]>[0],
  kind: Factor['kind'],
): Promise<void> {
  const { data } = await auth.getUser()
  const unverified = (data.user?.factors ?? []).filter(
    (each) => each.factor_type === kind && each.status === 'unverified',
  )
  await Promise.all(unverified.map(({ id }) => auth.mfa.unenroll({ factorId: id })))
}
