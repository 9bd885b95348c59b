import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

/** The keys of a browser's subscription: its public key (65 bytes) and its secret (16 bytes). */
export interface SubscriptionKeys {
  p256dh: Buffer
  auth: Buffer
}

/** The random values of an encrypted message. Only tests pass fixed ones. */
export interface MessageRandom {
  salt: Buffer
  privateKey: Buffer
}

/** The record size in the header of an encrypted message (bytes). Each message has one record. */
const recordSize = 4096
/**
 * Maximum size of a payload. It is the size of a body that every push service must accept (4096 bytes: RFC 8030, section
 * 7.2), minus the header (86 bytes), and the padding delimiter and the tag (17 bytes together).
 */
export const maxPayloadBytes = recordSize - 86 - 17

/**
 * Encrypts a payload of at most `maxPayloadBytes` for a browser. Returns a body with Content-Encoding aes128gcm (RFC 8188,
 * RFC 8291). Throws if the browser's public key is not a point of the curve P-256.
 */
export function encrypt(payload: Buffer, { p256dh, auth }: SubscriptionKeys, random = newRandom()): Buffer {
  const ephemeralKeys = createECDH('prime256v1')
  ephemeralKeys.setPrivateKey(random.privateKey)
  const publicKey = ephemeralKeys.getPublicKey()
  const secret = ephemeralKeys.computeSecret(p256dh)
  const input = derive(secret, auth, Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, publicKey]), 32)
  const key = derive(input, random.salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(input, random.salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const recordSizeField = Buffer.alloc(4)
  recordSizeField.writeUInt32BE(recordSize)
  // The delimiter 2 marks the last record.
  return Buffer.concat([
    random.salt,
    recordSizeField,
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

function newRandom(): MessageRandom {
  const generated = createECDH('prime256v1')
  generated.generateKeys()
  // `getPrivateKey` omits leading zeros.
  return { salt: randomBytes(16), privateKey: Buffer.from(generated.getPrivateKey('hex').padStart(64, '0'), 'hex') }
}
