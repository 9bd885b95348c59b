import { isFocusLost } from '#web/ui/focus.ts'
import { focusKeys } from './board-actions.ts'

/** Holds the arrows that are pressed while a card with the focus is on its way to another column: for a few frames nothing has the focus. */
export class HeldKeys {
  private readonly held: KeyboardEventInit[] = []
  /** Cards on their way to another column. */
  private underway = 0
  private listening = new AbortController()

  /** A card moves, and has the focus again when `arriving` resolves to true. What was pressed until then is pressed on the card. */
  async holdUntil(arriving: Promise<boolean>): Promise<void> {
    if (this.underway === 0) this.listen()
    this.underway += 1
    const hasArrived = await arriving
    this.underway -= 1
    // It may have gone on to a further column.
    if (this.underway > 0) return
    if (!hasArrived) this.held.length = 0
    await this.pressHeld()
  }

  private listen(): void {
    this.listening.abort()
    this.listening = new AbortController()
    document.addEventListener('keydown', this.hold, { capture: true, signal: this.listening.signal })
  }

  private readonly hold = (event: KeyboardEvent): void => {
    const { key, shiftKey } = event
    // `pressHeld` presses them itself.
    if (!event.isTrusted || !(isFocusLost() || this.held.length > 0)) return
    if (event.ctrlKey || event.altKey || event.metaKey || !focusKeys.some((known) => known === key)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    this.held.push({ key, shiftKey, bubbles: true, cancelable: true })
  }

  /** Presses what was held, a key a frame. One that moves the card leaves the others to the next call of `holdUntil`. */
  private async pressHeld(): Promise<void> {
    for (let next = this.held.shift(); next && !isFocusLost(); next = this.held.shift()) {
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', next))
      if (this.underway > 0) return
      await new Promise(requestAnimationFrame)
      if (this.underway > 0) return
    }
    this.held.length = 0
    this.listening.abort()
  }
}
