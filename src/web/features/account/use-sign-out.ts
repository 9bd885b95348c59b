import { useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import { signOut } from '#web/data/session/session.ts'
import { countUnsent, sendUnsent } from '#web/data/sync/sync-status.ts'
import { forgetRememberedAddress } from '#web/lib/remembered-address.ts'
import { toast } from '#web/ui/toast.ts'

export interface SigningOut {
  /** Signs out: at once when everything is sent, otherwise opens the dialog. */
  ask: () => void
  /** The dialog is open. */
  asking: boolean
  pending: boolean
  /** How many operations are not sent. */
  unsent: number
  send: () => void
  discard: () => void
  cancel: () => void
}

/** Signing out: unsent operations are sent or discarded, or the person stays (docs/offline.md). */
export function useSignOut(onSignedOut: () => void): SigningOut {
  const device = useDevice()
  const [asking, setAsking] = useState(false)
  const [pending, setPending] = useState(false)
  const [unsent, setUnsent] = useState(0)

  const leave = async () => {
    setPending(true)
    await signOut(device)
    forgetRememberedAddress()
    onSignedOut()
  }
  const ask = async () => {
    if (pending) return
    const count = await countUnsent(device)
    if (count === 0) return leave()
    setUnsent(count)
    setAsking(true)
  }
  const send = async () => {
    setPending(true)
    if (await sendUnsent(device)) return leave()
    setPending(false)
    setUnsent(await countUnsent(device))
    toast.error('Some changes could not be sent', { description: 'They are kept on this device.' })
  }
  return {
    ask: () => void ask(),
    asking,
    pending,
    unsent,
    send: () => void send(),
    discard: () => void leave(),
    cancel: () => setAsking(false),
  }
}
