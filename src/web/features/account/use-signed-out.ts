import { useEffect, useEffectEvent, useState } from 'react'
import { useSession } from '#web/data/session/session.ts'

/**
 * Calls `leave` when the person is no longer signed in, because the person has signed out in this or another tab, or another user has signed in
 * in another tab. The page must then be left, because its forms may contain text of the person.
 */
export function useSignedOut(leave: () => void): void {
  const { ready, session } = useSession()
  const userId = session?.userId ?? null
  const [firstUserId, setFirstUserId] = useState(userId)
  if (firstUserId === null && userId !== null) setFirstUserId(userId)
  const onSignedOut = useEffectEvent(leave)
  const isSignedOut = ready && (!userId || userId !== (firstUserId ?? userId))
  useEffect(() => {
    if (isSignedOut) onSignedOut()
  }, [isSignedOut])
}
