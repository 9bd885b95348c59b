import { useSyncStatus } from '#web/data/sync/sync-status.ts'

/** Explains why nothing is being sent: the session has expired, and cannot be renewed without a network. */
export function SignInHint() {
  if (useSyncStatus()?.state !== 'sign-in') return null
  return (
    <p className="pb-4 text-sm text-ink2">
      Your sign-in has expired. When the network is back it is renewed, or you are asked to sign in; what waits here is
      kept and sent then.
    </p>
  )
}
