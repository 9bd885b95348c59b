import { useEffect, useEffectEvent } from 'react'
import { hasUnsentText } from '#web/lib/missing-parts.ts'

/** So often a page that waits for a first brand asks for one, in milliseconds. */
const interval = 15_000

/**
 * Calls `reload` when the page is looked at again, and now and then while somebody without a brand waits on it: a colleague may be adding
 * them. Not while a brand's name is being typed: one that comes opens by itself.
 */
export function useBrandNews(reload: () => void, isWaiting: boolean): void {
  const look = useEffectEvent(() => {
    if (document.visibilityState !== 'hidden' && !hasUnsentText()) reload()
  })
  useEffect(() => {
    const onLook = () => look()
    const timer = isWaiting ? setInterval(onLook, interval) : undefined
    addEventListener('focus', onLook)
    document.addEventListener('visibilitychange', onLook)
    return () => {
      clearInterval(timer)
      removeEventListener('focus', onLook)
      document.removeEventListener('visibilitychange', onLook)
    }
  }, [isWaiting])
}
