import { createECDH, createPrivateKey, hkdfSync, type KeyObject, sign } from 'node:crypto'

/** How push services know this server (VAPID, RFC 8292). */
export interface Vapid {
  /** The public key, base64url: browsers subscribe with it. */
  publicKey: string
  privateKey: KeyObject
  /** Where the operator is reached: an https or mailto address. */
  subject: string
}

/** Push services refuse more than a day. */
const tokenLifeSeconds = 12 * 3600

/**
 * The key pair of this installation, derived from its secret: it lasts as long as `keys.json`, is in its backup, and is the same on every
 * server. With another one, browsers subscribe again.
 */
export function createVapid(secret: Buffer, subject: string): Vapid {
  const pair = createECDH('prime256v1')
  // A number outside of the curve's order is refused; it is one in 2^32.
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

/** The `Authorization` of a request to this push service. */
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
