import { type RefObject, useEffect } from 'react'

/**
 * Scrolls a form that has the focus completely into view: when the form unfolds, when its height changes (because a text or another kind of
 * entry needs more room), and when the phone's keyboard has opened.
 */
export function useInSight(form: RefObject<HTMLElement | null>, isUnfolded: boolean): void {
  useEffect(() => {
    const element = form.current
    if (!isUnfolded || !element) return
    const scrollIntoView = () => {
      if (element.contains(document.activeElement)) element.scrollIntoView({ block: 'nearest' })
    }
    // Also calls `scrollIntoView` once at the beginning.
    const resizeObserver = new ResizeObserver(scrollIntoView)
    resizeObserver.observe(element)
    window.visualViewport?.addEventListener('resize', scrollIntoView)
    return () => {
      resizeObserver.disconnect()
      window.visualViewport?.removeEventListener('resize', scrollIntoView)
    }
  }, [form, isUnfolded])
}
