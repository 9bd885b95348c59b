/**
 * Says a sentence to screen readers, politely or at once. The region stands outside of the app's root, so that an open
 * dialog (which makes the root inert) does not silence it.
 */
export function announce(sentence: string, politeness: 'polite' | 'assertive' = 'polite'): void {
  const region = regionFor(politeness)
  region.textContent = ''
  // A text that is set in the same frame as it is cleared is not spoken again when it is the same sentence.
  setTimeout(() => {
    region.textContent = sentence
  }, 40)
}

/** Puts both regions into the page; a region that comes with its text is not spoken by every reader. Called once at start. */
export function prepareLiveRegions(): void {
  regionFor('polite')
  regionFor('assertive')
}

function regionFor(politeness: 'polite' | 'assertive'): HTMLElement {
  const id = `live-${politeness}`
  const found = document.getElementById(id)
  if (found) return found
  const region = document.createElement('div')
  region.id = id
  region.className = 'sr-only'
  region.setAttribute('role', politeness === 'polite' ? 'status' : 'alert')
  region.setAttribute('aria-live', politeness)
  document.body.append(region)
  return region
}
