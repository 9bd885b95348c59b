import { Secret, TOTP } from 'otpauth'

/** Returns the code that an authenticator app shows, `ahead` steps of 30 s from now. */
export function totpCode(secret: string, ahead = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ahead * 30_000 })
}
