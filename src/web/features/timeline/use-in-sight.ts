import { type RefObject, useEffect, useEffectEvent } from 'react'

/**
 * Scrolls a form that has the focus into view as a whole, when it unfolds, when `content` changes its height, and when the phone's keyboard has come.
 */
export function useInSight(box: RefObject<HTMLElement | null>, isUnfolded: boolean, content: string): void {
  const show = useEffectEvent((_content: string) => {
    if (box.current?.contains(document.activeElement)) box.current.scrollIntoView({ block: 'nearest' })
  })
  useEffect(() => {
    if (!isUnfolded) return
    const showAgain = () => show(content)
    showAgain()
    window.visualViewport?.addEventListener('resize', showAgain)
    return () => window.visualViewport?.removeEventListener('resize', showAgain)
  }, [isUnfolded, content])
}
