import { type Device } from '#web/data/browser/device.ts'
import { authCall, type Refused } from './auth-call.ts'
import { loadClient } from '#web/data/server/load-client.ts'
import { onlineValue } from './online-value.ts'
import { secondFactorsOf } from './second-factor.ts'
import { refusal } from './session.ts'

/** How many recovery codes are left of how many; null: none were made. */
export const recoveryCodesLeft = onlineValue<{ total: number; remaining: number } | null>(async (device) => {
  const { auth } = await loadClient(device)
  const mine = await auth.getUser()
  if (mine.error) throw new Error(refusal(mine.error).message)
  // The status of codes that were never made is a 404, which the browser's console would report as an error.
  if (!secondFactorsOf(mine.data.user.factors ?? []).hasRecoveryCodes) return null
  const { data, error } = await auth.mfa.recoveryCodes.getStatus()
  if (data) return { total: data.total, remaining: data.remaining }
  if (error.code === 'mfa_factor_not_found') return null
  throw new Error(refusal(error).message)
})

/** Makes ten codes, or ten new ones in the place of those that are there. The only time that anybody sees them. */
export function makeRecoveryCodes(
  device: Device,
  anew: boolean,
): Promise<{ ok: true; codes: readonly string[] } | Refused> {
  return authCall(device, async (auth) => {
    const { recoveryCodes } = auth.mfa
    const { data, error } = await (anew ? recoveryCodes.regenerate() : recoveryCodes.generate())
    return error ? refusal(error) : { ok: true as const, codes: data.codes.map(grouped) }
  })
}

/** Easier to copy by hand: 2h8k-qw3m. The hyphens do not count when a code is entered. */
function grouped(code: string): string {
  return (
    code
      .replaceAll('-', '')
      .match(/.{1,4}/g)
      ?.join('-') ?? code
  )
}
