/** Where the keyboard's focus goes when the page changes under it. */

/** How long `returnFocus` waits for an element that is not drawn yet, in frames: about three seconds. */
const returnFrames = 180

/** Gives an element the focus without scrolling to it. False when it did not take it: it is hidden, inert or gone. */
export function giveFocus(element: Element | null | undefined): boolean {
  if (!(element instanceof HTMLElement)) return false
  element.focus({ preventScroll: true })
  return document.activeElement === element
}

/** Whether nothing has the focus, as after the element that had it was removed. */
export function isFocusLost(): boolean {
  return document.activeElement === document.body
}

/** Calls `attempt` in each of the next frames until it returns true. Resolves to false when it never did. */
export async function tryEachFrame(attempt: () => boolean, frames: number): Promise<boolean> {
  for (let left = frames; left > 0; left -= 1) {
    await new Promise(requestAnimationFrame)
    if (attempt()) return true
  }
  return false
}

/**
 * Gives the focus back to the element with this id. While it is not drawn yet, the first of `fallbacks` that can has the focus; the
 * element gets it as soon as it is drawn, unless the person has pressed a key or the pointer, or has moved the focus, by then.
 */
export function returnFocus(id: string, fallbacks: readonly (Element | null)[]): void {
  if (giveFocus(document.getElementById(id))) return
  fallbacks.some(giveFocus)
  const meanwhile = document.activeElement
  const acted = new AbortController()
  for (const input of ['keydown', 'pointerdown'])
    document.addEventListener(input, () => acted.abort(), { capture: true, signal: acted.signal })
  const attempt = () => {
    const isElsewhere = document.activeElement !== meanwhile && !isFocusLost()
    return acted.signal.aborted || isElsewhere || giveFocus(document.getElementById(id))
  }
  void tryEachFrame(attempt, returnFrames).then(() => acted.abort())
}
