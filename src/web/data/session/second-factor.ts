import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import type { SupabaseClient } from '@supabase/supabase-js'
import { useEffect } from 'react'
import { authCall, type AuthRefusal, noAnswerRefusal } from './auth-call.ts'
import { observable, useObservable } from '#web/lib/observable.ts'
import { loadClient } from '#web/data/server/load-client.ts'
import { type AuthOutcome, adoptSession, refusal, sessionState } from './session.ts'
import { isVerified } from '#web/data/server/session-token.ts'
import { textOf } from '#web/lib/read-unknown.ts'
import { readStoredSession } from '#web/data/server/stored-session.ts'

const kinds = ['totp', 'phone', 'webauthn'] as const

export type FactorKind = (typeof kinds)[number]

/** A verified factor other than the recovery codes. */
export interface Factor {
  id: string
  kind: FactorKind
  /** The name that the person chose. */
  name: string
  addedAt: string
}

/** The factors that can be used at sign-in. */
export interface SecondFactors {
  factors: readonly Factor[]
  hasRecoveryCodes: boolean
}

const storedFactors = devicePart((device) => {
  const factors = observable<SecondFactors | null>(null)
  sessionState(device).subscribe(() => factors.set(null))
  return factors
})

/** Returns the signed-in user's factors from the stored session, without the network. Null until they are read. */
export function useSecondFactors(): SecondFactors | null {
  const device = useDevice()
  useEffect(() => {
    const read = () => void readStored(device).then(storedFactors(device).set)
    read()
    // A change of the session clears the factors (the user may have entered the password again), so they are read again.
    return sessionState(device).subscribe(read)
  }, [device])
  return useObservable(storedFactors(device))
}

async function readStored(device: Device): Promise<SecondFactors> {
  const session = await readStoredSession(device)
  return secondFactorsOf(session?.user.factors ?? [])
}

/** Returns the verified factors, oldest first. */
export function secondFactorsOf(all: readonly unknown[]): SecondFactors {
  const verified = all.filter(isVerified)
  return {
    factors: verified.flatMap(factorOf).sort((a, b) => a.addedAt.localeCompare(b.addedAt)),
    hasRecoveryCodes: verified.some((factor) => textOf(factor, 'factor_type') === 'recovery_code'),
  }
}

/** Reads a factor of the protocol. Returns an empty list if sign-in does not use its kind. */
function factorOf(factor: unknown): Factor[] {
  const id = textOf(factor, 'id')
  const kind = kinds.find((known) => known === textOf(factor, 'factor_type'))
  if (id === null || !kind) return []
  return [{ id, kind, name: textOf(factor, 'friendly_name') ?? '', addedAt: textOf(factor, 'created_at') ?? '' }]
}

/** Begins to prove a factor. A phone gets its code now. The challenge is valid for 5 minutes and for one correct code. */
export function startChallenge(
  device: Device,
  factorId: string,
): Promise<{ ok: true; challengeId: string } | AuthRefusal> {
  return authCall(device, async (auth) => {
    const { data, error } = await auth.mfa.challenge({ factorId })
    return error ? refusal(error) : { ok: true as const, challengeId: data.id }
  })
}

/** Verifies the code of an app or a phone. After that the session is aal2 (spec section 4: verification saves a new session). */
export function verifyCode(device: Device, factorId: string, challengeId: string, code: string): Promise<AuthOutcome> {
  return authCall(device, async (auth) => {
    const { error } = await auth.mfa.verify({ factorId, challengeId, code })
    return error ? refusal(error) : adoptStoredSession(device)
  })
}

/**
 * Verifies a passkey or a security key, which the browser asks for. Code `cancelled`: the person closed the browser's dialog, it timed out,
 * or it could not be shown.
 */
export function verifyPasskey(device: Device, factorId: string): Promise<AuthOutcome> {
  return authCall(device, async (auth) => {
    // The client's default hint is security keys, but passkeys are allowed too.
    const { error } = await auth.mfa.webauthn.authenticate({ factorId }, optionsWithoutHints)
    return error ? passkeyRefusal(error) : adoptStoredSession(device)
  })
}

type PasskeyOptions = Parameters<SupabaseClient['auth']['mfa']['webauthn']['authenticate']>[1]
const noHints: string[] = []
const optionsWithoutHints = { hints: noHints } as PasskeyOptions

/** Verifies one of the ten recovery codes, in any letter case, with or without spaces and hyphens. Each works once. */
export function verifyRecoveryCode(device: Device, code: string): Promise<AuthOutcome> {
  return authCall(device, async (auth) => {
    const { error } = await auth.mfa.recoveryCodes.verify({ code })
    return error ? refusal(error) : adoptStoredSession(device)
  })
}

/** The refusal if the browser's dialog was closed or timed out, or could not be shown. The browser's own message is for developers. */
export const unusedPasskey: AuthRefusal = { ok: false, message: 'The passkey was not used', code: 'cancelled' }

function passkeyRefusal(error: { message: string; name: string; code?: string; status?: number }): AuthRefusal {
  const isAnswer = error.status !== undefined || error.name === 'AuthRetryableFetchError'
  return isAnswer ? refusal(error) : unusedPasskey
}

/** Uses the session that the client has just stored as the session of this tab. */
export async function adoptStoredSession(device: Device): Promise<AuthOutcome> {
  const { data } = await (await loadClient(device)).auth.getSession()
  return data.session ? adoptSession(device, data.session) : noAnswerRefusal
}
