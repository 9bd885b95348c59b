import { type Device, useDevice } from '#web/data/browser/device.ts'
import { useEffect } from 'react'
import { authCall } from './auth-call.ts'
import { sessionState } from './session.ts'

/** Reads the user's email address once, when the component is mounted (see `readPresentAddress`). */
export function usePresentAddress(): void {
  const device = useDevice()
  useEffect(() => void readPresentAddress(device), [device])
}

/**
 * Reads the email address of the signed-in user. If it was changed in another browser, renews the session, because the stored session has the
 * address of its last renewal. Without an answer, the stored address stays.
 */
export async function readPresentAddress(device: Device): Promise<void> {
  const { session } = sessionState(device).get()
  if (!session || session.expired) return
  await authCall(device, async (auth) => {
    const { data } = await auth.getUser()
    if (data.user?.id === session.userId && data.user.email !== session.email) await auth.refreshSession()
  })
}
