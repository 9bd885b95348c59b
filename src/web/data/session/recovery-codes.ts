import { type Device, devicePart } from '#web/data/browser/device.ts'
import { beginWork } from '#web/lib/begin-work.ts'
import { observable } from '#web/lib/observable.ts'
import { authCall, type AuthRefusal } from './auth-call.ts'
import { loadClient } from '#web/data/server/load-client.ts'
import { onlineValue } from './online-value.ts'
import { secondFactorsOf } from './second-factor.ts'
import { refusal, sessionState } from './session.ts'

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

/**
 * The new recovery codes that the user has not saved yet, or null. Only the memory of this tab has them. They stay until they are set to null or
 * the session ends; `removeFactor` sets them to null if the server has deleted them. Until then, the browser asks before the tab is closed.
 */
export const unsavedRecoveryCodes = devicePart((device) => {
  const codes = observable<readonly string[] | null>(null)
  let owner: string | undefined
  let endWork = () => {}
  const userId = () => sessionState(device).get().session?.userId
  codes.subscribe(() => {
    endWork()
    owner = userId()
    endWork = codes.get() ? beginWork() : () => {}
  })
  sessionState(device).subscribe(() => {
    if (userId() !== owner) codes.set(null)
  })
  return codes
})

/**
 * Lets the server generate ten recovery codes, and puts them into `unsavedRecoveryCodes`. `isReplacement`: they replace the existing codes. The
 * server returns the codes only this once.
 */
export function requestRecoveryCodes(device: Device, isReplacement: boolean): Promise<{ ok: true } | AuthRefusal> {
  const userId = sessionState(device).get().session?.userId
  return authCall(device, async (auth) => {
    const { recoveryCodes } = auth.mfa
    const { data, error } = await (isReplacement ? recoveryCodes.regenerate() : recoveryCodes.generate())
    if (error) return refusal(error)
    // Another user may have signed in meanwhile.
    if (sessionState(device).get().session?.userId === userId)
      unsavedRecoveryCodes(device).set(data.codes.map(inGroupsOfFour))
    return { ok: true as const }
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
