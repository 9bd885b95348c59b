import { setTimeout as sleep } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'

/** Returns the code that an authenticator app shows, `ahead` steps of 30 s from now. */
export function totpCode(secret: string, ahead = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ahead * 30_000 })
}

/** Waits for the next time step of 30 s if the current step ends within 5 s, so that a code and its check are in the same step. */
export async function untilStepLasts(): Promise<void> {
  const leftMs = 30_000 - (Date.now() % 30_000)
  if (leftMs < 5_000) await sleep(leftMs)
}
