import { isIP } from 'node:net'
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { HttpRequest } from '#server/http/exchange.ts'
import type { UserRow } from '#server/auth/users.ts'
import type { Factor, StoredCredential } from './factor.ts'

/** Loaded when the first passkey comes: most installations never see one, and its certificates' parsers are large. */
const library = () => import('@simplewebauthn/server')

/** Milliseconds that the browser's dialog may wait. */
const timeoutMs = 120_000

/** The name that passkeys are bound to, or null where the server is called by an IP address. */
export function passkeySite(siteUrl: string): string | null {
  const { hostname } = new URL(siteUrl)
  return isIP(hostname.replaceAll(/[[\]]/g, '')) ? null : hostname
}

/** What the client asks the browser for, and the challenge to keep: to make a credential where the factor has none. */
export async function passkeyOptions(site: string, user: UserRow, factor: Factor, others: readonly Factor[]) {
  const { generateAuthenticationOptions, generateRegistrationOptions } = await library()
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
    excludeCredentials: others.flatMap(({ web_authn_credential: one }) => (one ? [idOf(one)] : [])),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  return { type: 'create', credential_options: { publicKey } } as const
}

function idOf({ id, transports }: StoredCredential) {
  return { id, ...(transports ? { transports: transports as AuthenticatorTransport[] } : {}) }
}

interface Proof {
  site: string
  origins: string[]
  challenge: string
  response: unknown
}

/** The credential with its new count, where the browser's answer proves it; else null. */
export async function provePasskey(factor: Factor, proof: Proof): Promise<StoredCredential | null> {
  const { site, origins, challenge, response } = proof
  const expected = {
    expectedChallenge: challenge,
    expectedOrigin: origins,
    expectedRPID: site,
    requireUserVerification: false,
  }
  const stored = factor.web_authn_credential
  const { verifyAuthenticationResponse, verifyRegistrationResponse } = await library()
  try {
    if (stored === null) {
      const made = await verifyRegistrationResponse({ ...expected, response: response as RegistrationResponseJSON })
      if (!made.verified) return null
      const { id, publicKey, counter, transports } = made.registrationInfo.credential
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
    // The library says by an exception what does not fit, and what is no answer at all.
    return null
  }
}

/** Where a page may stand that uses a passkey: at the server's own address; on one's own machine, at any port. */
export function passkeyOrigins(siteUrl: string, { headers }: HttpRequest): string[] {
  const { origin, hostname } = new URL(siteUrl)
  const from = headers.origin ?? ''
  const isLocal = hostname === 'localhost' && /^http:\/\/localhost(:\d+)?$/.test(from)
  return isLocal ? [origin, from] : [origin]
}
