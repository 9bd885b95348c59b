import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Encrypts secrets that the server must decrypt later (AES-256-GCM), and hashes codes with a key. So a person who can only
 * read the database cannot verify a second factor. The keys are derived from the installation's secret.
 */
export interface FactorCipher {
  /** Encrypts a text for one row. It cannot be decrypted for another row. Returns base64url. */
  encrypt: (rowId: string, text: string) => string
  /** Decrypts a text. Throws if the text was changed, or encrypted for another row or by another installation. */
  decrypt: (rowId: string, encrypted: string) => string
  /** Returns a keyed hash of a text (base64url). `purpose` is the kind of code: equal texts of two kinds have different hashes. */
  hash: (purpose: string, text: string) => string
}

const ivBytes = 12
const tagBytes = 16

/** Creates the cipher. `secret` is the installation's secret, from its key file. */
export function createFactorCipher(secret: Buffer): FactorCipher {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'factor secrets', 32))
  const hashKey = Buffer.from(hkdfSync('sha256', secret, '', 'factor codes', 32))

  function encrypt(rowId: string, text: string): string {
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(rowId))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
  }

  function decrypt(rowId: string, encrypted: string): string {
    const bytes = Buffer.from(encrypted, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
    decipher.setAAD(Buffer.from(rowId)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8')
  }

  const hash = (purpose: string, text: string) =>
    createHmac('sha256', hashKey).update(`${purpose} ${text}`).digest('base64url')

  return { encrypt, decrypt, hash }
}
