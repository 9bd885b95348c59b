import { giveFocus } from './focus.ts'

/** How long an element is marked, and stays in view while the content around it grows (ms). */
const markMs = 2_500

/**
 * Scrolls to an element, gives it the focus, marks it for a moment, and keeps it in view meanwhile. Returns a function that stops keeping the element
 * in view.
 */
export function scrollAndMark(element: HTMLElement): () => void {
  element.tabIndex = -1
  element.style.outline = 'none'
  giveFocus(element)
  const scrollToElement = () => element.scrollIntoView({ block: 'center' })
  scrollToElement()
  const markStyle = { outline: '2px solid var(--focus)', outlineOffset: '2px' }
  element.animate([markStyle, { ...markStyle, offset: 0.7 }, { ...markStyle, outlineColor: 'transparent' }], markMs)
  // Content that loads above would push the element out of view, so each growth scrolls to it again, until the person scrolls, presses or
  // types, or `markMs` is over.
  const growthObserver = new ResizeObserver(scrollToElement)
  for (
    let ancestor = element.parentElement;
    ancestor && !['ASIDE', 'MAIN'].includes(ancestor.tagName);
    ancestor = ancestor.parentElement
  )
    for (const child of ancestor.children) growthObserver.observe(child)
  const endController = new AbortController()
  const end = () => {
    growthObserver.disconnect()
    endController.abort()
  }
  for (const input of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    document.addEventListener(input, end, { capture: true, passive: true, signal: endController.signal })
  setTimeout(end, markMs)
  return end
}
