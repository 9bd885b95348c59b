import { type RefObject, useEffect, useEffectEvent } from 'react'

/**
 * Scrolls a form that has the focus completely into view: when the form unfolds, when `content` changes (and with it the form's height), and
 * when the phone's keyboard has opened.
 */
export function useInSight(form: RefObject<HTMLElement | null>, isUnfolded: boolean, content: string): void {
  const scrollIntoView = useEffectEvent((_content: string) => {
    if (form.current?.contains(document.activeElement)) form.current.scrollIntoView({ block: 'nearest' })
  })
  useEffect(() => {
    if (!isUnfolded) return
    const showAgain = () => scrollIntoView(content)
    showAgain()
    window.visualViewport?.addEventListener('resize', showAgain)
    return () => window.visualViewport?.removeEventListener('resize', showAgain)
  }, [isUnfolded, content])
}
