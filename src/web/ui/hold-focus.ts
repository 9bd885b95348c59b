import { giveFocus, isFocusLost, tryEachFrame } from './focus.ts'

/** Number of frames during which rows may still change after an action: half a second. */
const holdFrames = 30

/**
 * Call it after an action that removes the focused element. For half a second, whenever no element has the focus, the element that
 * `findElement` returns gets it. If the focus is still lost at the end, the page's list or the page itself gets it. A press of the pointer
 * stops this.
 */
export async function holdFocus(findElement: () => Element | null): Promise<void> {
  const stopController = new AbortController()
  document.addEventListener('pointerdown', () => stopController.abort(), {
    capture: true,
    signal: stopController.signal,
  })
  await tryEachFrame(() => {
    if (!stopController.signal.aborted && isFocusLost()) giveFocus(findElement())
    return stopController.signal.aborted
  }, holdFrames)
  if (stopController.signal.aborted) return
  stopController.abort()
  if (isFocusLost()) [pageList(), document.getElementById('main')].some(giveFocus)
}

/** Returns the scrolling list of the page, which can have the focus. */
function pageList(): Element | null {
  return document.querySelector('#main :is([role=table], [role=region])[tabindex="0"]')
}

/** Returns the link of the row that is now at the index of a removed row. If there is none, returns the link of the row before it. */
export function linkAtRemovedRow(removedRow: HTMLElement): Element | null {
  const linkAt = (index: number) => document.querySelector(`[data-row][data-index="${index}"] [data-row-focus]`)
  const index = Number(removedRow.dataset.index)
  return linkAt(index) ?? linkAt(index - 1)
}

/**
 * If a bar has the focus when it is removed, the element that had the focus before the bar gets it. If the row of this element was removed, the
 * row that takes its place gets the focus. Use this function as the bar's ref callback.
 */
export function returnFocusWhenBarCloses(bar: HTMLElement | null): (() => void) | undefined {
  if (!bar) return undefined
  let hadFocus = false
  let focusedBefore: Element | null = null
  const onFocusIn = ({ relatedTarget: previouslyFocused }: FocusEvent) => {
    hadFocus = true
    // Focus that comes back from a menu or a dialog of the bar does not count.
    if (
      previouslyFocused instanceof Element &&
      !bar.contains(previouslyFocused) &&
      !previouslyFocused.closest('[popover], [role=dialog]')
    )
      focusedBefore = previouslyFocused
  }
  bar.addEventListener('focusin', onFocusIn)
  return () => {
    bar.removeEventListener('focusin', onFocusIn)
    if (!hadFocus) return
    void holdFocus(() => {
      const row = focusedBefore?.closest<HTMLElement>('[data-row]')
      return row && !row.isConnected ? linkAtRemovedRow(row) : focusedBefore
    })
  }
}
