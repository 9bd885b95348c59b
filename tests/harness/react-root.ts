import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, vi } from 'vitest'

/** A root of React in the page of happy-dom, a new one for each test. */
export let root: Root

/** Call it once, at the top of a file: each test finds `root` in an empty page, in its element `#root`. `timers: 'fake'`: time stands still. */
export function renderInPage({ timers = 'real' }: { timers?: 'real' | 'fake' } = {}): void {
  beforeEach(() => {
    if (timers === 'fake') vi.useFakeTimers()
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
    document.body.innerHTML = '<div id="root"></div>'
    root = createRoot(document.querySelector('#root') as Element)
  })
  afterEach(() => {
    act(() => root.unmount())
    document.body.replaceChildren()
    if (timers === 'fake') vi.useRealTimers()
    vi.unstubAllGlobals()
  })
}
