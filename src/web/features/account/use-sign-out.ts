import { useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import { sessionState, signOut } from '#web/data/session/session.ts'
import { countUnsent } from '#web/data/sync/sync-status.ts'
import { forgetRememberedUrl } from '#web/lib/remembered-url.ts'
import { toast } from '#web/ui/toast.ts'

export interface SignOutState {
  /** Signs out at once if everything is sent; otherwise opens the dialog. */
  ask: () => void
  /** Whether the dialog is open. */
  asking: boolean
  /** Whether the sign-out or the sending of operations is running. */
  pending: boolean
  /** The number of unsent operations. */
  unsent: number
  setPending: (pending: boolean) => void
  setUnsent: (unsent: number) => void
  /** Signs out, also if operations are unsent: these are lost. */
  leave: () => Promise<void>
  /** Runs a step of the sign-out. If it fails, a toast says so, and the person can try again. */
  attempt: (step: () => Promise<void>) => Promise<void>
  cancel: () => void
}

/** Signs the person out. If there are unsent operations, the person chooses to send them, to discard them, or to stay (docs/offline.md). */
export function useSignOut(onSignedOut: () => void): SignOutState {
  const device = useDevice()
  const [asking, setAsking] = useState(false)
  const [pending, setPending] = useState(false)
  const [unsent, setUnsent] = useState(0)

  const leave = async () => {
    setPending(true)
    await signOut(device)
    // /auth is shown before `signOut` has ended. If somebody has signed in there meanwhile, their page and their URL stay.
    if (sessionState(device).get().session) return
    forgetRememberedUrl()
    onSignedOut()
  }
  const attempt = (step: () => Promise<void>) =>
    step().catch((error: unknown) => {
      console.error('Error signing out', error)
      setPending(false)
      toast.error('Error signing out', { description: 'Reload the page, then try again.' })
    })
  const ask = async () => {
    if (pending) return
    const count = await countUnsent(device)
    if (count === 0) return leave()
    setUnsent(count)
    setAsking(true)
  }
  return {
    ask: () => void attempt(ask),
    asking,
    pending,
    unsent,
    setPending,
    setUnsent,
    leave,
    attempt,
    cancel: () => setAsking(false),
  }
}
