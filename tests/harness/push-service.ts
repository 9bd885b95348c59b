import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PushTransport } from '#server/push/transport.ts'

/** A received push: its headers, as the push service sees them, and its decrypted text. */
export interface ReceivedPush {
  endpoint: string
  headers: IncomingHttpHeaders
  /** The claims of the VAPID token, whose signature was checked. */
  claims: { aud: string; exp: number; sub: string }
  payload: unknown
}

/** A subscription, as a browser returns it to its page. */
interface Subscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

/** A push service (RFC 8030) with its subscribed browsers, on this machine. */
export interface PushService {
  /** Subscribes another browser. */
  subscribe: () => Subscription
  received: ReceivedPush[]
  /** Statuses that the test sets for the next pushes. These pushes are not added to `received`. A later valid push gets 201. */
  answers: number[]
  /** For a test server: sends its pushes to this service. Endpoints have a public host name, because the database refuses others. */
  transport: PushTransport
  stop: () => Promise<void>
}

/**
 * Starts a push service. It decrypts pushes (RFC 8291) with its own code. A push that breaks a rule gets 400, with the error as the response's
 * body. A push to an unknown endpoint gets 404.
 */
export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, { key: ReturnType<typeof createECDH>; auth: Buffer }>()
  const received: ReceivedPush[] = []
  const answers: number[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const plannedStatus = answers.shift()
      if (plannedStatus !== undefined) return response.writeHead(plannedStatus).end()
      const endpoint = `https://push.example${request.url}`
      const browser = browsers.get(endpoint)
      if (!browser) return response.writeHead(404).end()
      try {
        const claims = claimsOf(request.headers.authorization ?? '')
        const payload: unknown = JSON.parse(decrypt(Buffer.concat(chunks), browser.key, browser.auth))
        received.push({ endpoint, headers: request.headers, claims, payload })
        response.writeHead(201).end()
      } catch (error) {
        response.writeHead(400).end(String(error))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    received,
    answers,
    subscribe: () => {
      const key = createECDH('prime256v1')
      key.generateKeys()
      const auth = randomBytes(16)
      const endpoint = `https://push.example/${randomBytes(12).toString('hex')}`
      browsers.set(endpoint, { key, auth })
      return { endpoint, keys: { p256dh: key.getPublicKey('base64url'), auth: auth.toString('base64url') } }
    },
    transport: async ({ endpoint, headers, body }) => {
      const { pathname } = new URL(endpoint)
      const init = { method: 'POST', headers, body: new Uint8Array(body) }
      return (await fetch(`http://127.0.0.1:${port}${pathname}`, init)).status
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Verifies the header `vapid t=TOKEN, k=KEY` (RFC 8292) and returns the token's claims. */
function claimsOf(authorization: string): ReceivedPush['claims'] {
  const [, content = '', claims = '', signature = '', key = ''] =
    /^vapid t=([\w-]+\.([\w-]+))\.([\w-]+), k=([\w-]+)$/.exec(authorization) ?? []
  const point = Buffer.from(key, 'base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(point, 1), y: coordinate(point, 33) }
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  const isSigned = verify(
    'sha256',
    Buffer.from(content),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error('The VAPID token has a wrong signature')
  return JSON.parse(Buffer.from(claims, 'base64url').toString())
}

function coordinate(point: Buffer, from: number): string {
  return point.subarray(from, from + 32).toString('base64url')
}

function decrypt(body: Buffer, key: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16)
  const keyLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + keyLength)
  const ciphertext = body.subarray(21 + keyLength)
  const hkdf = (secret: Buffer, saltBytes: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, saltBytes, info, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), key.getPublicKey(), sender])
  const keyMaterial = hkdf(key.computeSecret(sender), auth, info, 32)
  const nonce = hkdf(keyMaterial, salt, 'Content-Encoding: nonce\0', 12)
  const decipher = createDecipheriv('aes-128-gcm', hkdf(keyMaterial, salt, 'Content-Encoding: aes128gcm\0', 16), nonce)
  decipher.setAuthTag(ciphertext.subarray(-16))
  const text = Buffer.concat([decipher.update(ciphertext.subarray(0, -16)), decipher.final()])
  const end = text.lastIndexOf(2)
  if (end === -1) throw new Error('The record has no delimiter')
  return text.subarray(0, end).toString()
}
