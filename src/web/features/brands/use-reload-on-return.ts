import { useEffect, useEffectEvent } from 'react'
import { hasUnsentText } from '#web/lib/missing-parts.ts'

/** How often the page of a person without a brand checks whether somebody has added them to one (ms). */
const pollMs = 15_000

/**
 * Calls `reload` when the page becomes visible or gets the focus, and regularly while a person without a brand waits (`isWaiting`), because
 * a colleague may be adding them. Does not call `reload` while the person types the name of a new brand: if they were added to a brand, it
 * would open at once, and the typed name would be lost.
 */
export function useReloadOnReturn(reload: () => void, isWaiting: boolean): void {
  const look = useEffectEvent(() => {
    if (document.visibilityState !== 'hidden' && !hasUnsentText()) reload()
  })
  useEffect(() => {
    const onLook = () => look()
    const timer = isWaiting ? setInterval(onLook, pollMs) : undefined
    addEventListener('focus', onLook)
    document.addEventListener('visibilitychange', onLook)
    return () => {
      clearInterval(timer)
      removeEventListener('focus', onLook)
      document.removeEventListener('visibilitychange', onLook)
    }
  }, [isWaiting])
}
