/**
 * A ref for a card whose rows and steps go when they are pressed: where the focus goes with one of them, the card's heading
 * takes it, so that the next Tab does not begin at the top of the page.
 */
export function keepFocus(card: HTMLElement | null): (() => void) | undefined {
  if (!card) return undefined
  let last: Node | null = null
  const remember = ({ target }: FocusEvent) => {
    last = target instanceof Node ? target : null
  }
  const observer = new MutationObserver(() => {
    if (last === null || last.isConnected || document.activeElement !== document.body) return
    last = null
    const heading = card.querySelector<HTMLElement>('h2')
    if (!heading) return
    heading.tabIndex = -1
    heading.style.outline = 'none'
    heading.focus({ preventScroll: true })
  })
  card.addEventListener('focusin', remember)
  observer.observe(card, { childList: true, subtree: true })
  return () => {
    card.removeEventListener('focusin', remember)
    observer.disconnect()
  }
}
