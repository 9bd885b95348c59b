import { giveFocus } from './focus.ts'

/** How long an element is marked, and stays in view while the content around it grows (ms). */
const markMs = 2_500

/**
 * Scrolls to the element that the URL names, gives it the focus, marks it for a moment, and keeps it in view meanwhile. Returns a function that stops
 * keeping the element in view.
 */
export function scrollAndMark(found: HTMLElement): () => void {
  found.tabIndex = -1
  found.style.outline = 'none'
  giveFocus(found)
  const show = () => found.scrollIntoView({ block: 'center' })
  show()
  const mark = { outline: '2px solid var(--focus)', outlineOffset: '2px' }
  found.animate([mark, { ...mark, offset: 0.7 }, { ...mark, outlineColor: 'transparent' }], markMs)
  // Content that loads above would push the element out of view, so each growth scrolls to it again, until the person scrolls, presses or
  // types, or `markMs` is over.
  const growth = new ResizeObserver(show)
  for (let each = found.parentElement; each && !['ASIDE', 'MAIN'].includes(each.tagName); each = each.parentElement)
    for (const child of each.children) growth.observe(child)
  const ended = new AbortController()
  const end = () => {
    growth.disconnect()
    ended.abort()
  }
  for (const input of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    document.addEventListener(input, end, { capture: true, passive: true, signal: ended.signal })
  setTimeout(end, markMs)
  return end
}
