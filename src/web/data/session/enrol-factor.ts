import type { Device } from '#web/data/browser/device.ts'
import type { MFAVerifyWebauthnParams } from '@supabase/supabase-js'
import { authCall, type AuthRefusal } from './auth-call.ts'
import { type Factor, type SecondFactors, adoptStoredSession, secondFactorsOf, unusedPasskey } from './second-factor.ts'
import { onlineValue } from './online-value.ts'
import { unsavedRecoveryCodes } from './recovery-codes.ts'
import { type AuthOutcome, refusal } from './session.ts'
import { loadClient } from '#web/data/server/load-client.ts'

type NewCredential = MFAVerifyWebauthnParams<'create'>['webauthn']['credential_response']

/** The data for an authenticator app: the QR code (a URL for <img>), and the secret as text. */
export interface NewApp {
  ok: true
  factorId: string
  qrCode: string
  secret: string
}

/** The factors of the signed-in user, from the server. */
export const mySecondFactors = onlineValue<SecondFactors>(async (device) => {
  const { data, error } = await (await loadClient(device)).auth.getUser()
  if (error) throw new Error(refusal(error).message)
  return secondFactorsOf(data.user.factors ?? [])
})

/**
 * Begins to add an authenticator app. It becomes valid when one of its codes is verified. Refusal code `mfa_factor_name_conflict`: the
 * name is taken.
 */
export function enrolApp(device: Device, name: string): Promise<NewApp | AuthRefusal> {
  return authCall(device, async (auth) => {
    await dropUnverified(auth, 'totp')
    const { data, error } = await auth.mfa.enroll({ factorType: 'totp', friendlyName: name, issuer: 'Banyan CRM' })
    if (error) return refusal(error)
    return { ok: true as const, factorId: data.id, qrCode: data.totp.qr_code, secret: data.totp.secret }
  })
}

/** Begins to add a phone. `phone` has the form +447700900142. */
export function enrolPhone(
  device: Device,
  name: string,
  phone: string,
): Promise<{ ok: true; factorId: string } | AuthRefusal> {
  return authCall(device, async (auth) => {
    await dropUnverified(auth, 'phone')
    const { data, error } = await auth.mfa.enroll({ factorType: 'phone', friendlyName: name, phone })
    return error ? refusal(error) : { ok: true as const, factorId: data.id }
  })
}

/**
 * Adds a passkey or a security key, with the browser's own dialog. Code `cancelled`: the person closed the dialog, or the browser does not
 * support passkeys. Does not use the client's `mfa.webauthn.register`, because with it the browser offers only security keys.
 */
export function enrolPasskey(device: Device, name: string): Promise<AuthOutcome> {
  return authCall(device, async (auth) => {
    await dropUnverified(auth, 'webauthn')
    const enrolled = await auth.mfa.webauthn.enroll({ friendlyName: name })
    if (enrolled.error) return refusal(enrolled.error)
    const factorId = enrolled.data.id
    const origin = { rpId: location.hostname, rpOrigins: [location.origin] }
    const { data, error } = await auth.mfa.challenge({ factorId, webauthn: origin })
    if (error) return refusal(error)
    if (data.type !== 'webauthn' || data.webauthn.type !== 'create') return unusedPasskey
    const credential = await createPasskey(
      data.webauthn.credential_options.publicKey as PublicKeyCredentialCreationOptions,
    )
    if (!credential) return unusedPasskey
    const webauthn = { ...origin, type: 'create' as const, credential_response: credential }
    const verified = await auth.mfa.verify({ factorId, challengeId: data.id, webauthn })
    return verified.error ? refusal(verified.error) : adoptStoredSession(device)
  })
}

/** Returns null if the person closed the browser's dialog, or if the browser does not support passkeys. */
async function createPasskey(publicKey: PublicKeyCredentialCreationOptions): Promise<NewCredential | null> {
  const credential = await navigator.credentials?.create({ publicKey }).catch(() => null)
  return credential as NewCredential | null
}

/**
 * Removes a factor. If the session was proved with this factor, a code may be required again. The server deletes the recovery codes together with the
 * last factor. Then codes that are not saved yet are useless, and are no longer shown.
 */
export function removeFactor(device: Device, factor: Factor): Promise<AuthOutcome> {
  return authCall(device, async (auth) => {
    const { error } = await auth.mfa.unenroll({ factorId: factor.id })
    if (error) return refusal(error)
    // The next token has the new assurance level and factors.
    const { data } = await auth.refreshSession()
    if (data.user && !secondFactorsOf(data.user.factors ?? []).hasRecoveryCodes) unsavedRecoveryCodes(device).set(null)
    return adoptStoredSession(device)
  })
}

/** Removes factors of this kind that were never verified (their dialog was closed), so that their names are free again. */
async function dropUnverified(
  auth: Parameters<Parameters<typeof authCall>[1]>[0],
  kind: Factor['kind'],
): Promise<void> {
  const { data } = await auth.getUser()
  const unverified = (data.user?.factors ?? []).filter(
    (factor) => factor.factor_type === kind && factor.status === 'unverified',
  )
  await Promise.all(unverified.map(({ id }) => auth.mfa.unenroll({ factorId: id })))
}
