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
  const done = useRef('')
  useEffect(() => {
    const found = isShown && hash.startsWith('import-') ? document.getElementById(hash) : null
    if (!found || done.current === visit) return
    done.current = visit
    return scrollAndMark(found)
  }, [isShown, hash, visit])
}
