/** Moves the keyboard focus when the focused element is removed. Separate from focus.ts, because the first page loads only that file. */
import { giveFocus, isFocusLost } from './focus.ts'

/**
 * When the focused element is removed from a dialog or a panel, the dialog or panel itself gets the focus, so that Escape and Tab go on working.
 * Returns the function that ends this.
 */
export function keepFocusInside(container: HTMLElement): () => void {
  let lastFocused = document.activeElement
  return watchFocus(container, {
    focused: (element) => {
      lastFocused = element
    },
    left: () => {
      lastFocused = null
    },
    lost: () => {
      if (lastFocused && !lastFocused.isConnected) giveFocus(container)
    },
  })
}

/**
 * A ref callback: when the focused element is removed from a card, the card's heading gets the focus, so that the next Tab does not start
 * at the top of the page.
 */
export function keepFocusInCard(card: HTMLElement | null): (() => void) | undefined {
  if (!card) return undefined
  let lastFocused: Element | null = null
  return watchFocus(card, {
    focused: (element) => {
      lastFocused = element
    },
    lost: () => {
      if (!lastFocused || lastFocused.isConnected) return
      lastFocused = null
      const heading = card.querySelector<HTMLElement>('h2')
      if (!heading) return
      heading.tabIndex = -1
      heading.style.outline = 'none'
      giveFocus(heading)
    },
  })
}

/**
 * A ref callback: when the focused row is removed from a list, the checkbox of the row that takes its place gets the focus; if there is
 * none, the checkbox of the row before it. Rows have `data-index`; only visible rows are rendered.
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
      const removedIndex = index
      const rows = [...list.querySelectorAll<HTMLElement>('[data-index]')]
      const row =
        rows.find((each) => indexOf(each) === removedIndex) ?? rows.findLast((each) => indexOf(each) < removedIndex)
      giveFocus(row?.querySelector('input'))
    },
  })
}

interface FocusWatcher {
  /** Called when an element inside the container gets the focus. */
  focused: (element: Element) => void
  /** Called when the person moves the focus out of the container, or presses the pointer outside it. */
  left?: () => void
  /** Called when the content has changed and no element has the focus, unless the focus is on its way to another element. */
  lost: () => void
}

/** Watches the focus inside an element. Returns the function that stops watching. */
export function watchFocus(container: HTMLElement, { focused, left, lost }: FocusWatcher): () => void {
  const endController = new AbortController()
  const { signal } = endController
  // A field that is left may remove itself. The browser then has not yet focused the next element, and would no longer do so if `lost`
  // focused another one.
  let nextFocus: EventTarget | null = null
  const isMoving = () => nextFocus instanceof Element && nextFocus.isConnected
  const observer = new MutationObserver(() => isFocusLost() && !isMoving() && lost())
  observer.observe(container, { childList: true, subtree: true })
  const onFocusOut = ({ relatedTarget }: FocusEvent) => {
    nextFocus = relatedTarget
  }
  document.addEventListener('focusout', onFocusOut, { capture: true, signal })
  document.addEventListener(
    'focusin',
    ({ target }) => {
      nextFocus = null
      if (!(target instanceof Element)) return
      if (container.contains(target)) focused(target)
      else left?.()
    },
    { signal },
  )
  const onPointerDown = ({ target }: Event) => target instanceof Node && !container.contains(target) && left?.()
  document.addEventListener('pointerdown', onPointerDown, { signal })
  return () => {
    endController.abort()
    observer.disconnect()
  }
}
