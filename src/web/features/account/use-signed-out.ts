import { useEffect, useEffectEvent, useState } from 'react'
import { useSession } from '#web/data/session/session.ts'

/**
 * Calls `leave` when the person is no longer signed in, because the person has signed out in this or another tab, or another user has signed in
 * in another tab. The page must then be left, because its forms may contain text of the person. If another user has signed in, a toast says so.
 */
export function useSignedOut(leave: () => void): void {
  const { ready, session, replaced } = useSession()
  const userId = session?.userId ?? null
  const [first, setFirst] = useState(session)
  if (first === null && session !== null) setFirst(session)
  const onSignedOut = useEffectEvent(() => {
    leave()
    // If this code cannot be loaded, the person is not notified.
    if (replaced && first)
      import('./tell-replaced.ts').then(
        ({ tellReplaced }) => tellReplaced(first.email),
        () => {},
      )
  })
  const isSignedOut = ready && (!userId || userId !== (first?.userId ?? userId))
  useEffect(() => {
    if (isSignedOut) onSignedOut()
  }, [isSignedOut])
}
