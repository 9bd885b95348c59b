import { useEffect, useEffectEvent } from 'react'
import { useSession } from '#web/data/session/session.ts'

/** Calls `leave` when nobody is signed in, because the person has signed out in this or another tab. */
export function useSignedOut(leave: () => void): void {
  const { ready, session } = useSession()
  const onSignedOut = useEffectEvent(leave)
  const isSignedOut = ready && !session
  useEffect(() => {
    if (isSignedOut) onSignedOut()
  }, [isSignedOut])
}
