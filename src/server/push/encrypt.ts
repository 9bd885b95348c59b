import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

/** The keys of a browser's subscription: its public key (65 bytes) and its secret (16 bytes). */
export interface SubscriptionKeys {
  p256dh: Buffer
  auth: Buffer
}

/** What is random of a message; given by tests. */
export interface Chance {
  salt: Buffer
  privateKey: Buffer
}

/** The record size of the one record that a message has. */
const recordSize = 4096
/** What a push service has to accept (RFC 8030, section 7.2), less header, padding delimiter and tag. */
export const maxPayloadBytes = recordSize - 86 - 17

/**
 * Encrypts a payload for a browser: a body of Content-Encoding aes128gcm (RFC 8188, RFC 8291). Throws where the browser's key is no point of
 * the curve.
 */
export function encrypt(payload: Buffer, { p256dh, auth }: SubscriptionKeys, chance = random()): Buffer {
  const own = createECDH('prime256v1')
  own.setPrivateKey(chance.privateKey)
  const publicKey = own.getPublicKey()
  const secret = own.computeSecret(p256dh)
  const input = derive(secret, auth, Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, publicKey]), 32)
  const key = derive(input, chance.salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(input, chance.salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const size = Buffer.alloc(4)
  size.writeUInt32BE(recordSize)
  // The delimiter 2 marks the last record.
  return Buffer.concat([
    chance.salt,
    size,
    Buffer.from([publicKey.length]),
    publicKey,
    cipher.update(Buffer.concat([payload, Buffer.from([2])])),
    cipher.final(),
    cipher.getAuthTag(),
  ])
}

function derive(secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length))
}

function random(): Chance {
  const made = createECDH('prime256v1')
  made.generateKeys()
  // Leading zeros are cut off.
  return { salt: randomBytes(16), privateKey: Buffer.from(made.getPrivateKey('hex').padStart(64, '0'), 'hex') }
}
