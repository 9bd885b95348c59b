import { useEffect, useRef } from 'react'
import { useShownLocation } from '#web/lib/routing/use-router.ts'
import { scrollAndMark } from '#web/ui/scroll-and-mark.ts'

/**
 * Scrolls to the import that the URL names ('#import-ID', as in the notification that an import has ended) once the list is shown. Pressing
 * the same link again scrolls again.
 */
export function useScrollToImport(isShown: boolean): void {
  const { hash, key } = useShownLocation()
  const visit = `${key} ${hash}`
  const lastVisit = useRef('')
  useEffect(() => {
    const element = isShown && hash.startsWith('import-') ? document.getElementById(hash) : null
    if (!element || lastVisit.current === visit) return
    lastVisit.current = visit
    return scrollAndMark(element)
  }, [isShown, hash, visit])
}
