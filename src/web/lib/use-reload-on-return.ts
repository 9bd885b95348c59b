import { useEffect, useEffectEvent } from 'react'
import { hasUnsentText } from './missing-parts.ts'

/** Interval of the calls while a person waits (ms). */
const pollMs = 15_000

/**
 * Calls `reload` when the page becomes visible or gets the focus, because the values may have changed in another tab or on another device,
 * and regularly while the person waits for a change (`isWaiting`). Does not call `reload` while a form contains unsent text, which the
 * change could remove: a person without a brand who types the name of a new one would be shown the brand to which they were just added.
 */
export function useReloadOnReturn(reload: () => void, isWaiting = false): void {
  const reloadIfVisible = useEffectEvent(() => {
    if (document.visibilityState !== 'hidden' && !hasUnsentText()) reload()
  })
  useEffect(() => {
    const onReturn = () => reloadIfVisible()
    const timer = isWaiting ? setInterval(onReturn, pollMs) : undefined
    addEventListener('focus', onReturn)
    document.addEventListener('visibilitychange', onReturn)
    return () => {
      clearInterval(timer)
      removeEventListener('focus', onReturn)
      document.removeEventListener('visibilitychange', onReturn)
    }
  }, [isWaiting])
}
