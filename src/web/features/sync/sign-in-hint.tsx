import { useSyncStatus } from '#web/data/sync/sync-status.ts'

/** Says why nothing is sent while the session has expired and, without a network, cannot be renewed. Otherwise renders nothing. */
export function SignInHint() {
  if (useSyncStatus()?.state !== 'sign-in') return null
  return (
    <p className="pb-4 text-sm text-ink2">
      Your sign-in has expired. When the network is back it is renewed, or you are asked to sign in; what waits here is
      kept and sent then.
    </p>
  )
}
