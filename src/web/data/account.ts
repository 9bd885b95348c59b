import { authCall } from './auth-call.ts'
import { type AuthOutcome, refusal } from './session.ts'
import { adoptStored } from './second-factor.ts'

/** Sets a password where none is asked for: after the link of a mail, or for an invited person's first one. */
export function setNewPassword(password: string): Promise<AuthOutcome> {
  return authCall(async (auth) => {
    const { error } = await auth.updateUser({ password })
    return error ? refusal(error) : adoptStored()
  })
}

/** Changes the password; the present one is asked for, and all other sessions end. */
export function changePassword(current: string, password: string): Promise<AuthOutcome> {
  return authCall(async (auth) => {
    const { error } = await auth.updateUser({ password, current_password: current })
    return error ? refusal(error) : adoptStored()
  })
}
