import { useEffect, useEffectEvent } from 'react'
import { hasUnsentText } from '#web/lib/missing-parts.ts'

/** Time between two checks whether somebody has added a person without a brand to one (ms). */
const pollMs = 15_000

/**
 * Calls `reload` when the page becomes visible or gets the focus, and regularly while a person without a brand waits (`isWaiting`), because
 * a colleague may be adding them. Does not call `reload` while the person types the name of a new brand: if they were added to a brand, it
 * would open at once, and the typed name would be lost.
 */
export function useReloadOnReturn(reload: () => void, isWaiting: boolean): void {
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
