import { giveFocus, isFocusLost, tryEachFrame } from './focus.ts'

/** How long rows may come and go after an action, in frames: half a second. */
const frames = 30

/**
 * After an action that removes what has the focus: what `find` finds gets it, as often as nothing has it meanwhile. In the end the list of the
 * page does, or the page itself. A press of the pointer ends it.
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

/** The scrolling list of the page, which the keyboard can reach. */
function list(): Element | null {
  return document.querySelector('#main :is([role=table], [role=region])[tabindex="0"]')
}

/** When a bar that had the focus is closed, the element that had it before gets it back. A ref callback. */
export function returnFocusOf(bar: HTMLElement | null): (() => void) | undefined {
  if (!bar) return undefined
  let wasHere = false
  let before: Element | null = null
  const entered = ({ relatedTarget: from }: FocusEvent) => {
    wasHere = true
    // A menu of the bar and a dialog of its actions give the focus back to the bar.
    if (from instanceof Element && !bar.contains(from) && !from.closest('[popover], [role=dialog]')) before = from
  }
  bar.addEventListener('focusin', entered)
  return () => {
    bar.removeEventListener('focusin', entered)
    if (wasHere) void holdFocus(() => before)
  }
}
