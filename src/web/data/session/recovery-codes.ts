import type { Device } from '#web/data/browser/device.ts'
import { authCall, type AuthRefusal } from './auth-call.ts'
import { loadClient } from '#web/data/server/load-client.ts'
import { onlineValue } from './online-value.ts'
import { secondFactorsOf } from './second-factor.ts'
import { refusal } from './session.ts'

/** The number of recovery codes, and how many are unused. Null if none were generated. */
export const recoveryCodesLeft = onlineValue<{ total: number; remaining: number } | null>(async (device) => {
  const { auth } = await loadClient(device)
  const userReply = await auth.getUser()
  if (userReply.error) throw new Error(refusal(userReply.error).message)
  // Without codes the server answers 404, which the browser's console would report as an error.
  if (!secondFactorsOf(userReply.data.user.factors ?? []).hasRecoveryCodes) return null
  const { data, error } = await auth.mfa.recoveryCodes.getStatus()
  if (data) return { total: data.total, remaining: data.remaining }
  if (error.code === 'mfa_factor_not_found') return null
  throw new Error(refusal(error).message)
})

/** Generates ten recovery codes. `regenerate`: replaces the existing codes. The server returns the codes only this once. */
export function makeRecoveryCodes(
  device: Device,
  regenerate: boolean,
): Promise<{ ok: true; codes: readonly string[] } | AuthRefusal> {
  return authCall(device, async (auth) => {
    const { recoveryCodes } = auth.mfa
    const { data, error } = await (regenerate ? recoveryCodes.regenerate() : recoveryCodes.generate())
    return error ? refusal(error) : { ok: true as const, codes: data.codes.map(inGroupsOfFour) }
  })
}

/** Returns a code in groups of four, which are easier to copy: 2h8k-qw3m. The server ignores the hyphens. */
function inGroupsOfFour(code: string): string {
  return (
    code
      .replaceAll('-', '')
      .match(/.{1,4}/g)
      ?.join('-') ?? code
  )
}
