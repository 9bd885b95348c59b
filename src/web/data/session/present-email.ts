import { type Device, useDevice } from '#web/data/browser/device.ts'
import { useEffect } from 'react'
import { noAnswerMessage } from '#web/data/server/ask-server.ts'
import { RpcError } from '#web/data/server/rpc.ts'
import { authCall } from './auth-call.ts'
import { onlineValue } from './online-value.ts'
import { sessionState } from './session.ts'

/** Reads the user's email address once, when the component is mounted (see `readPresentEmail`). */
export function usePresentEmail(): void {
  const device = useDevice()
  useEffect(() => void readPresentEmail(device), [device])
}

/**
 * Reads the email address of the signed-in user from the server. If the address was changed in another browser, renews the session, because the stored
 * session has the address of its last renewal. `pending` of the result: the requested new address, until both addresses have confirmed it, or null.
 * Returns null without a valid session, and without an answer: the stored address then stays.
 */
export async function readPresentEmail(device: Device): Promise<{ pending: string | null } | null> {
  const { session } = sessionState(device).get()
  if (!session || session.expired) return null
  const user = await authCall(device, async (auth) => {
    const { data } = await auth.getUser()
    if (data.user?.id !== session.userId) return null
    if (data.user.email !== session.email) await auth.refreshSession()
    return data.user
  })
  return user && 'id' in user ? { pending: user.new_email ?? null } : null
}

/** The requested new email address of the signed-in user. Null if no change is pending. */
export const pendingEmail = onlineValue<string | null>(async (device) => {
  const emails = await readPresentEmail(device)
  if (!emails) throw new RpcError(noAnswerMessage, 0, null)
  return emails.pending
})
