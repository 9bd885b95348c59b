import { useEffect, useRef } from 'react'
import { useShownLocation } from '#web/lib/routing/use-router.ts'
import { scrollAndMark } from '#web/ui/scroll-and-mark.ts'

/**
 * Leads to the import that the address names, '#import-ID', as the notification of its end does, once the list is there. Pressing the same
 * link again is another visit.
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
