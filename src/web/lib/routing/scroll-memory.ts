import type { PageLocation } from './page-location.ts'
import { selectorOf } from './selector-of.ts'

const storageKey = 'banyan-scroll-positions'

/** Maximum number of history entries whose scroll positions are kept. */
const maxEntries = 100

/** Number of frames in which a page is scrolled again while its content is too short for a remembered position: about 5 s. */
const restoreFrames = 300

/** The scroll position of an element (px), with the element's selector. */
type Position = readonly [selector: string, left: number, top: number]

/**
 * Remembers the scroll positions of each history entry: of the window and of every element that scrolls. A new page starts at its top. If
 * the person goes back to an entry, or reloads, its page gets the entry's positions, also if its content comes later. Navigation within a page
 * scrolls nothing. `pageOf` returns the part of a path that identifies the page. `frame` is the selector of a scrolling element around all pages.
 */
export class ScrollMemory {
  private readonly positions = readPositions()
  private readonly scrolled = new Set<Element>()
  /** The positions that the shown page has not reached yet. */
  private missing: readonly Position[] = []
  private page: string | null = null
  private entryKey: string | null = null
  private readonly pageOf: (pathname: string) => string
  private readonly frame: string

  constructor(pageOf: (pathname: string) => string, frame: string) {
    this.pageOf = pageOf
    this.frame = frame
  }

  /** Starts to watch scrolling. Call it once. */
  start(): void {
    history.scrollRestoration = 'manual'
    document.addEventListener(
      'scroll',
      ({ target }) => this.scrolled.add(target instanceof Element ? target : document.documentElement),
      { capture: true, passive: true },
    )
    // After such an event, the person decides what is visible: the remaining positions are not restored.
    for (const type of ['wheel', 'keydown', 'pointerdown'])
      addEventListener(type, () => (this.missing = []), { capture: true, passive: true })
    addEventListener('pagehide', () => {
      // After a reload, the browser restores positions sooner than this class.
      history.scrollRestoration = 'auto'
      this.leave()
      storePositions(this.positions)
    })
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) history.scrollRestoration = 'manual'
    })
  }

  /** Stores the scroll positions of the shown location. Call it before another location is shown. */
  leave(): void {
    if (this.entryKey === null) return
    const elements = Array.from(this.scrolled).filter((element) => element.isConnected)
    this.positions.delete(this.entryKey)
    this.positions.set(this.entryKey, [
      ...elements.map((element): Position => [selectorOf(element), element.scrollLeft, element.scrollTop]),
      ...this.missing,
    ])
    const [oldest] = this.positions.keys()
    if (oldest !== undefined && this.positions.size > maxEntries) this.positions.delete(oldest)
  }

  /** Restores the scroll positions of a location. Call it when the location is shown, before the browser paints it. */
  arrive({ key, pathname, hash }: PageLocation): void {
    this.entryKey = key
    const page = this.pageOf(pathname)
    if (page === this.page) return
    this.page = page
    // Calling `scrollTo` makes the browser compute the layout at once. On the board, this took a sixth of the time from the start of the app
    // to the first cards of deals. So `scrollTo` is called only for elements that were scrolled.
    for (const element of this.scrolled) if (element.matches(`html, ${this.frame}`)) element.scrollTo(0, 0)
    this.scrolled.clear()
    const positions = this.positions.get(key) ?? []
    this.restore(positions, restoreFrames)
    if (hash && positions.length === 0) document.getElementById(hash)?.scrollIntoView()
  }

  /** Scrolls to these positions. Tries positions again for which the content is still too short, once per frame, for at most `frames` frames. */
  private restore(positions: readonly Position[], frames: number): void {
    const missing = positions.filter(([selector, left, top]) => {
      const element = document.querySelector(selector)
      if (!element) return true
      element.scrollTo(left, top)
      this.scrolled.add(element)
      // The browser rounds positions.
      return element.scrollLeft < left - 1 || element.scrollTop < top - 1
    })
    this.missing = missing
    requestAnimationFrame(() => {
      // The person, or another page, may have ended the attempts.
      if (this.missing === missing && missing[0] && frames) this.restore(missing, frames - 1)
    })
  }
}

function readPositions(): Map<string, readonly Position[]> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(storageKey) ?? '[]'))
  } catch {
    return new Map()
  }
}

function storePositions(positions: ReadonlyMap<string, readonly Position[]>): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify([...positions]))
  } catch {
    // Without storage, a reload starts at the top.
  }
}
