import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Length of a time step (X in RFC 6238). Each time step has its own code. */
const stepSeconds = 30
const codeDigits = 6

/** Length of a secret. RFC 4226 recommends 160 bits, the length of the hash. */
const secretBytes = 20

/** Returns a new secret in base32, which people can type into an app. */
export function newSecret(): string {
  return base32(randomBytes(secretBytes))
}

/** Returns the key URI that an authenticator app reads from the QR code. */
export function keyUri({ issuer, account, secret }: { issuer: string; account: string; secret: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  const parameters = new URLSearchParams({
    algorithm: 'SHA1',
    digits: String(codeDigits),
    issuer,
    period: String(stepSeconds),
    secret,
  })
  return `otpauth://totp/${label}?${parameters.toString().replaceAll('+', '%20')}`
}

/**
 * Returns the time step (counted from 1970) that has this code: the current step, or the one before or after it. Returns
 * null if none of them has this code. The calling code stores the step, so that each code works once. `now` is in Unix
 * milliseconds.
 */
export function matchingStep(secret: string, code: string, now: number): number | null {
  const currentStep = Math.floor(now / 1000 / stepSeconds)
  const given = Buffer.from(code)
  for (const step of [currentStep, currentStep - 1, currentStep + 1]) {
    const expected = Buffer.from(codeAt(secret, step))
    if (given.length === expected.length && timingSafeEqual(given, expected)) return step
  }
  return null
}

/** Returns the code of a step: HOTP of RFC 4226 with the step as counter. */
function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** codeDigits
  return String(number).padStart(codeDigits, '0')
}

const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes bytes in base32 (RFC 4648) without padding. The number of bytes must be a multiple of five. */
function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => base32Alphabet[Number.parseInt(five, 2)]).join('')
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => base32Alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)))
}
