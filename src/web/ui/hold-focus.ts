import { giveFocus, isFocusLost, tryEachFrame } from './focus.ts'

/** Number of frames during which rows may still change after an action: half a second. */
const frames = 30

/**
 * Call it after an action that removes the focused element. For half a second, whenever no element has the focus, the element that `find`
 * returns gets it. If the focus is still lost at the end, the page's list or the page itself gets it. A press of the pointer stops this.
 */
export async function holdFocus(find: () => Element | null): Promise<void> {
  const pressed = new AbortController()
  document.addEventListener('pointerdown', () => pressed.abort(), { capture: true, signal: pressed.signal })
  await tryEachFrame(() => {
    if (!pressed.signal.aborted && isFocusLost()) giveFocus(find())
    return pressed.signal.aborted
  }, frames)
  if (pressed.signal.aborted) return
  pressed.abort()
  if (isFocusLost()) [list(), document.getElementById('main')].some(giveFocus)
}

/** Returns the scrolling list of the page, which can have the focus. */
function list(): Element | null {
  return document.querySelector('#main :is([role=table], [role=region])[tabindex="0"]')
}

/**
 * If a bar has the focus when it is removed, gives the focus to the element that had the focus before the bar. Use it as the ref callback of the bar.
 */
export function returnFocusWhenBarCloses(bar: HTMLElement | null): (() => void) | undefined {
  if (!bar) return undefined
  let wasHere = false
  let before: Element | null = null
  const entered = ({ relatedTarget: from }: FocusEvent) => {
    wasHere = true
    // Focus that comes back from a menu or a dialog of the bar does not count.
    if (from instanceof Element && !bar.contains(from) && !from.closest('[popover], [role=dialog]')) before = from
  }
  bar.addEventListener('focusin', entered)
  return () => {
    bar.removeEventListener('focusin', entered)
    if (wasHere) void holdFocus(() => before)
  }
}
