/** How long an element that is not there yet is waited for. Milliseconds. */
const longest = 3000

/**
 * Gives the focus back to the element with this id; where it is not there (its list is still being drawn), to the first of `others` that
 * takes it, and to the element itself as soon as it is there, unless somebody has gone on with keyboard or pointer by then.
 */
export function returnFocus(id: string, others: readonly (Element | null)[]): void {
  const found = document.getElementById(id)
  for (const place of [found, ...others]) {
    if (place instanceof HTMLElement && place.isConnected) place.focus({ preventScroll: true })
    if (place && document.activeElement === place) break
  }
  if (!found || document.activeElement !== found) takeWhenThere(id, document.activeElement)
}

function takeWhenThere(id: string, meanwhile: Element | null): void {
  const observer = new MutationObserver(() => {
    const active = document.activeElement
    if (active !== meanwhile && active !== document.body) return stop()
    const place = document.getElementById(id)
    place?.focus({ preventScroll: true })
    if (place && document.activeElement === place) stop()
  })
  const timer = setTimeout(stop, longest)
  const signs = ['keydown', 'pointerdown'] as const
  for (const sign of signs) document.addEventListener(sign, stop, { capture: true, once: true })
  // A row is drawn unseen first and takes no focus until its style says where it stands.
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['style'] })

  function stop(): void {
    observer.disconnect()
    clearTimeout(timer)
    for (const sign of signs) document.removeEventListener(sign, stop, { capture: true })
  }
}
