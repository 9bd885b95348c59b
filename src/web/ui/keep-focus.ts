/** Who gets the keyboard's focus when the element that has it is removed. Apart from focus.ts, which the first page loads. */
import { giveFocus, isFocusLost } from './focus.ts'

/**
 * When the element that has the focus is removed from a card, the card's heading gets it, so that the next Tab does not start at the top
 * of the page. A ref callback.
 */
export function keepFocusInCard(card: HTMLElement | null): (() => void) | undefined {
  if (!card) return undefined
  let last: Element | null = null
  return watchFocus(card, {
    focused: (element) => {
      last = element
    },
    lost: () => {
      if (!last || last.isConnected) return
      last = null
      const heading = card.querySelector<HTMLElement>('h2')
      if (!heading) return
      heading.tabIndex = -1
      heading.style.outline = 'none'
      giveFocus(heading)
    },
  })
}

/**
 * When the row that has the focus leaves a list, the row that takes its place gets it, on its checkbox; the row before where none does.
 * Rows have `data-index`; only those in sight are drawn.
 */
export function keepFocusInRows(list: HTMLElement | null): (() => void) | undefined {
  if (!list) return undefined
  let index: number | null = null
  const indexOf = (row: HTMLElement) => Number(row.dataset.index)
  return watchFocus(list, {
    focused: (element) => {
      const row = element.closest<HTMLElement>('[data-index]')
      index = row && indexOf(row)
    },
    left: () => {
      index = null
    },
    lost: () => {
      if (index === null) return
      const place = index
      const rows = [...list.querySelectorAll<HTMLElement>('[data-index]')]
      const row = rows.find((each) => indexOf(each) === place) ?? rows.findLast((each) => indexOf(each) < place)
      giveFocus(row?.querySelector('input'))
    },
  })
}

interface FocusWatcher {
  /** An element inside got the focus. */
  focused: (element: Element) => void
  /** The person went on outside. */
  left?: () => void
  /** What is inside changed, and nothing has the focus. */
  lost: () => void
}

/** Follows the focus inside an element. Returns what ends it. */
export function watchFocus(container: HTMLElement, { focused, left, lost }: FocusWatcher): () => void {
  const ended = new AbortController()
  const { signal } = ended
  const observer = new MutationObserver(() => isFocusLost() && lost())
  observer.observe(container, { childList: true, subtree: true })
  document.addEventListener(
    'focusin',
    ({ target }) => {
      if (!(target instanceof Element)) return
      if (container.contains(target)) focused(target)
      else left?.()
    },
    { signal },
  )
  const pressed = ({ target }: Event) => target instanceof Node && !container.contains(target) && left?.()
  document.addEventListener('pointerdown', pressed, { signal })
  return () => {
    ended.abort()
    observer.disconnect()
  }
}
