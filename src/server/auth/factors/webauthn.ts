import { isIP } from 'node:net'
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { HttpRequest } from '#server/http/exchange.ts'
import type { UserRow } from '#server/auth/users.ts'
import type { Factor, StoredCredential } from './factor.ts'

/**
 * Loads the library for passkeys when a passkey is used for the first time. Most installations have no passkeys, and the
 * library is large.
 */
const loadLibrary = () => import('@simplewebauthn/server')

/** Timeout of the browser's dialog for a passkey. */
const timeoutMs = 120_000

/** Returns the relying party id of passkeys: the host name of the site. Returns null if the site has an IP address instead. */
export function relyingPartyIdOf(siteUrl: string): string | null {
  const { hostname } = new URL(siteUrl)
  return isIP(hostname.replaceAll(/[[\]]/g, '')) ? null : hostname
}

/**
 * Returns the options for the browser's dialog, which include the challenge. If the factor has no credential yet, the dialog
 * creates one, but not on a device with a passkey of `existingFactors`; otherwise the dialog asks for a proof with the existing
 * credential. `site` is the relying party id.
 */
export async function passkeyOptions(site: string, user: UserRow, factor: Factor, existingFactors: readonly Factor[]) {
  const { generateAuthenticationOptions, generateRegistrationOptions } = await loadLibrary()
  if (factor.web_authn_credential) {
    const publicKey = await generateAuthenticationOptions({
      rpID: site,
      timeout: timeoutMs,
      userVerification: 'preferred',
      allowCredentials: [idOf(factor.web_authn_credential)],
    })
    return { type: 'request', credential_options: { publicKey } } as const
  }
  const publicKey = await generateRegistrationOptions({
    rpID: site,
    rpName: site,
    userID: new Uint8Array(Buffer.from(user.id.replaceAll('-', ''), 'hex')),
    userName: user.email ?? user.id,
    userDisplayName: user.email ?? user.id,
    timeout: timeoutMs,
    attestationType: 'none',
    excludeCredentials: existingFactors.flatMap(({ web_authn_credential: credential }) =>
      credential ? [idOf(credential)] : [],
    ),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  return { type: 'create', credential_options: { publicKey } } as const
}

function idOf({ id, transports }: StoredCredential) {
  return { id, ...(transports ? { transports: transports as AuthenticatorTransport[] } : {}) }
}

interface PasskeyProof {
  /** The relying party id. */
  site: string
  /** The origins whose proof is accepted. */
  origins: string[]
  challenge: string
  response: unknown
}

/**
 * Checks the browser's response to a challenge. Returns the credential to store: a new one, or the factor's credential with
 * its new counter. Returns null if the response is not valid.
 */
export async function verifyPasskeyProof(factor: Factor, proof: PasskeyProof): Promise<StoredCredential | null> {
  const { site, origins, challenge, response } = proof
  const expected = {
    expectedChallenge: challenge,
    expectedOrigin: origins,
    expectedRPID: site,
    requireUserVerification: false,
  }
  const stored = factor.web_authn_credential
  const { verifyAuthenticationResponse, verifyRegistrationResponse } = await loadLibrary()
  try {
    if (stored === null) {
      const registration = await verifyRegistrationResponse({
        ...expected,
        response: response as RegistrationResponseJSON,
      })
      if (!registration.verified) return null
      const { id, publicKey, counter, transports } = registration.registrationInfo.credential
      return {
        id,
        publicKey: Buffer.from(publicKey).toString('base64url'),
        counter,
        ...(transports ? { transports } : {}),
      }
    }
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expected,
      response: response as AuthenticationResponseJSON,
      credential: {
        id: stored.id,
        publicKey: new Uint8Array(Buffer.from(stored.publicKey, 'base64url')),
        counter: stored.counter,
      },
    })
    return verified ? { ...stored, counter: authenticationInfo.newCounter } : null
  } catch {
    // The library throws both for a wrong and for a malformed response.
    return null
  }
}

/**
 * Returns the origins that may use a passkey: the origin of the site. If the site is on localhost, also returns the origin of
 * the request, provided that it is http://localhost with any port.
 */
export function passkeyOrigins(siteUrl: string, { headers }: HttpRequest): string[] {
  const { origin, hostname } = new URL(siteUrl)
  const requestOrigin = headers.origin ?? ''
  const isLocal = hostname === 'localhost' && /^http:\/\/localhost(:\d+)?$/.test(requestOrigin)
  return isLocal ? [origin, requestOrigin] : [origin]
}
