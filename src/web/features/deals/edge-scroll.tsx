import { useEffect } from 'react'

/** How long a card must be held at the edge before the board scrolls by one stage (ms). */
const dwellMs = 700
/** Width of the edge at each side of the window (px). */
const edgePx = 48

/**
 * Used on the phone while a card is being carried. A finger that rests at the left or right edge scrolls the board one stage at a time, with a
 * pause at each stage. Renders nothing.
 */
export function EdgeScroll() {
  useEffect(() => {
    let direction = 0
    let timer = 0
    const scrollOneStage = () => {
      const board = document.querySelector('[data-board-scroller]')
      const [first, second] = board?.querySelectorAll<HTMLElement>('[data-stage]') ?? []
      if (!board || !first || !second) return
      const width = second.offsetLeft - first.offsetLeft
      board.scrollTo({ left: (Math.round(board.scrollLeft / width) + direction) * width, behavior: 'smooth' })
      timer = window.setTimeout(scrollOneStage, dwellMs)
    }
    const handleTouch = ({ touches }: TouchEvent) => {
      const x = touches[0]?.clientX ?? innerWidth / 2
      const newDirection = x < edgePx ? -1 : x > innerWidth - edgePx ? 1 : 0
      if (newDirection === direction) return
      direction = newDirection
      clearTimeout(timer)
      if (newDirection !== 0) timer = window.setTimeout(scrollOneStage, dwellMs)
    }
    window.addEventListener('touchmove', handleTouch, { capture: true, passive: true })
    return () => {
      window.removeEventListener('touchmove', handleTouch, { capture: true })
      clearTimeout(timer)
    }
  }, [])
  return null
}
