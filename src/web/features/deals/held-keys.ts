import { isFocusLost } from '#web/ui/focus.ts'
import { focusKeys } from './board-actions.ts'

/** Keys that were pressed while a card was on its way. */
const held: KeyboardEventInit[] = []
/** Cards on their way to another column. */
let underway = 0
let listening = new AbortController()

/**
 * A card with the focus moves to another column, and has the focus again when `arriving` resolves to true. For a few frames nothing has it:
 * arrows pressed then are held, and pressed on the card when it is there.
 */
export async function holdKeys(arriving: Promise<boolean>): Promise<void> {
  if (underway === 0) listen()
  underway += 1
  const hasArrived = await arriving
  underway -= 1
  // It may have gone on to a further column.
  if (underway > 0) return
  if (!hasArrived) held.length = 0
  await pressHeld()
}

function listen(): void {
  listening.abort()
  listening = new AbortController()
  document.addEventListener('keydown', hold, { capture: true, signal: listening.signal })
}

function hold(event: KeyboardEvent): void {
  const { key, shiftKey } = event
  // `pressHeld` presses them itself.
  if (!event.isTrusted || !(isFocusLost() || held.length > 0)) return
  if (event.ctrlKey || event.altKey || event.metaKey || !focusKeys.some((known) => known === key)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  held.push({ key, shiftKey, bubbles: true, cancelable: true })
}

/** Presses what was held, a key a frame. One that moves the card leaves the others to the next call of `holdKeys`. */
async function pressHeld(): Promise<void> {
  for (let next = held.shift(); next && !isFocusLost(); next = held.shift()) {
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', next))
    if (underway > 0) return
    await new Promise(requestAnimationFrame)
    if (underway > 0) return
  }
  held.length = 0
  listening.abort()
}
