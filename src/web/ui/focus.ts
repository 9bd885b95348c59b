/** Moves the keyboard focus when the focused part of the page changes. */

/** Maximum number of frames that `returnFocus` waits for an element that is not rendered yet: about three seconds. */
const returnFrames = 180

/**
 * Gives the focus to an element without scrolling to it. Returns false if the element did not take the focus, because it is hidden, inert
 * or removed.
 */
export function giveFocus(element: Element | null | undefined): boolean {
  if (!(element instanceof HTMLElement)) return false
  element.focus({ preventScroll: true })
  return document.activeElement === element
}

/** Whether no element has the focus, for example after the focused element was removed. */
export function isFocusLost(): boolean {
  return document.activeElement === document.body
}

/** Calls `attempt` once per frame until it returns true, at most `frames` times. Resolves to false if it never returned true. */
export async function tryEachFrame(attempt: () => boolean, frames: number): Promise<boolean> {
  for (let framesLeft = frames; framesLeft > 0; framesLeft -= 1) {
    await new Promise(requestAnimationFrame)
    if (attempt()) return true
  }
  return false
}

/**
 * Returns the focus to the element with this id. While the element is not rendered yet, the first focusable element of `fallbacks` has the
 * focus. The element gets the focus as soon as it is rendered, unless the person has pressed a key or the pointer or moved the focus
 * meanwhile.
 */
export function returnFocus(id: string, fallbacks: readonly (Element | null)[]): void {
  if (giveFocus(document.getElementById(id))) return
  fallbacks.some(giveFocus)
  const fallback = document.activeElement
  const endController = new AbortController()
  for (const input of ['keydown', 'pointerdown'])
    document.addEventListener(input, () => endController.abort(), { capture: true, signal: endController.signal })
  const attempt = () => {
    const isElsewhere = document.activeElement !== fallback && !isFocusLost()
    return endController.signal.aborted || isElsewhere || giveFocus(document.getElementById(id))
  }
  void tryEachFrame(attempt, returnFrames).then(() => endController.abort())
}
