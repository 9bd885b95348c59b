import { useEffect, useEffectEvent, useState } from 'react'
import { useSession } from '#web/data/session/session.ts'

/**
 * Calls `leave` when the person is no longer signed in, because the person has signed out in this or another tab, or another user has signed in
 * in another tab. The page must then be left, because its forms may contain text of the person. If another user has signed in, a toast says so.
 */
export function useLeaveWhenSignedOut(leave: () => void): void {
  const { ready, session, replaced } = useSession()
  const userId = session?.userId ?? null
  const [firstSession, setFirstSession] = useState(session)
  if (firstSession === null && session !== null) setFirstSession(session)
  const onSignedOut = useEffectEvent(() => {
    leave()
    // If the module cannot be loaded, no toast is shown.
    if (replaced && firstSession)
      import('./toast-another-signed-in.ts').then(
        ({ toastAnotherSignedIn }) => toastAnotherSignedIn(firstSession.email),
        () => {},
      )
  })
  const isSignedOut = ready && (!userId || userId !== (firstSession?.userId ?? userId))
  useEffect(() => {
    if (isSignedOut) onSignedOut()
  }, [isSignedOut])
}
