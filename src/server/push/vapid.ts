import { createECDH, createPrivateKey, hkdfSync, type KeyObject, sign } from 'node:crypto'

/** The identity of this server for push services (VAPID, RFC 8292). */
export interface Vapid {
  /** The public key (base64url), with which browsers subscribe. */
  publicKey: string
  privateKey: KeyObject
  /** The URL at which push services can reach the operator (https or mailto). */
  subject: string
}

/** Life of a token for a push service (seconds). Push services refuse tokens that live longer than a day. */
const tokenLifeSeconds = 12 * 3600

/**
 * Derives the key pair from the installation's secret in `keys.json`, so the pair is the same on every server of the
 * installation and after a restore. With another key pair, browsers would have to subscribe again.
 */
export function createVapid(secret: Buffer, subject: string): Vapid {
  const pair = createECDH('prime256v1')
  // `setPrivateKey` refuses a candidate that is not below the curve's order (one in 2^32). Then the next candidate is tried.
  for (let attempt = 0; ; attempt += 1) {
    const candidate = Buffer.from(hkdfSync('sha256', secret, '', `web push ${attempt}`, 32))
    try {
      pair.setPrivateKey(candidate)
    } catch {
      continue
    }
    const point = pair.getPublicKey()
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
    const jwk = { kty: 'EC', crv: 'P-256', d: candidate.toString('base64url'), x, y }
    return {
      publicKey: point.toString('base64url'),
      privateKey: createPrivateKey({ key: jwk, format: 'jwk' }),
      subject,
    }
  }
}

/** Returns the header `Authorization` of a request to this endpoint of a push service. */
export function authorization({ publicKey, privateKey, subject }: Vapid, endpoint: string): string {
  const exp = Math.floor(Date.now() / 1000) + tokenLifeSeconds
  const content = [
    { typ: 'JWT', alg: 'ES256' },
    { aud: new URL(endpoint).origin, exp, sub: subject },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${content}.${signature.toString('base64url')}, k=${publicKey}`
}
