import { type RefObject, useEffect, useEffectEvent } from 'react'

/**
 * Scrolls a focused form completely into view when it unfolds, when `content` changes its height, and when the phone's keyboard has
 * opened.
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
