import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Secrets that the server must read again lie encrypted in the database (AES-256-GCM), bound to the row they belong to, and
 * codes as keyed hashes: with the tables alone nobody has a second factor. The keys come from the installation's secret.
 */
export interface Seal {
  close: (rowId: string, text: string) => string
  /** Throws where the text was closed by another installation or for another row. */
  open: (rowId: string, sealed: string) => string
  hash: (purpose: string, text: string) => string
}

const ivBytes = 12
const tagBytes = 16

/** `secret`: the installation's, from its key file. */
export function createSeal(secret: Buffer): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'factor secrets', 32))
  const hashKey = Buffer.from(hkdfSync('sha256', secret, '', 'factor codes', 32))

  function close(rowId: string, text: string): string {
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(rowId))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
  }

  function open(rowId: string, sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
    decipher.setAAD(Buffer.from(rowId)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8')
  }

  const hash = (purpose: string, text: string) =>
    createHmac('sha256', hashKey).update(`${purpose} ${text}`).digest('base64url')

  return { close, open, hash }
}
