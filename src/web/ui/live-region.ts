/** How long a sentence stays in its live region (ms). It is then removed, so that a screen reader does not read an outdated sentence later. */
const shownMs = 10_000

/**
 * Announces a sentence to screen readers, politely or assertively. The live region is outside of the app's root, because an open dialog makes the
 * root inert. An empty sentence removes the last sentence, also one that is about to be announced.
 */
export function announce(sentence: string, politeness: 'polite' | 'assertive' = 'polite'): void {
  const region = regionFor(politeness)
  region.textContent = ''
  // The same text would not be announced again if it were cleared and set in one frame.
  setTimeout(() => {
    region.textContent = sentence
    setTimeout(() => {
      if (region.textContent === sentence) region.textContent = ''
    }, shownMs)
  }, 40)
}

/**
 * Adds both live regions to the page. Some screen readers do not announce a region that is added together with its text. Called once at
 * start.
 */
export function prepareLiveRegions(): void {
  regionFor('polite')
  regionFor('assertive')
}

function regionFor(politeness: 'polite' | 'assertive'): HTMLElement {
  const id = `live-${politeness}`
  const existing = document.getElementById(id)
  if (existing) return existing
  const region = document.createElement('div')
  region.id = id
  region.className = 'sr-only'
  region.setAttribute('role', politeness === 'polite' ? 'status' : 'alert')
  region.setAttribute('aria-live', politeness)
  document.body.append(region)
  return region
}
