import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, vi } from 'vitest'

/** React's root in the page of happy-dom. Each test gets a new one. */
export let reactRoot: Root

/**
 * Call it once, at the top of a file. Before each test, creates `reactRoot` in the element `#root` of an empty page. `timers: 'fake'`: uses
 * vitest's fake timers.
 */
export function renderInPage({ timers = 'real' }: { timers?: 'real' | 'fake' } = {}): void {
  beforeEach(() => {
    if (timers === 'fake') vi.useFakeTimers()
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
    document.body.innerHTML = '<div id="root"></div>'
    reactRoot = createRoot(document.querySelector('#root') as Element)
  })
  afterEach(() => {
    act(() => reactRoot.unmount())
    document.body.replaceChildren()
    if (timers === 'fake') vi.useRealTimers()
    vi.unstubAllGlobals()
  })
}
