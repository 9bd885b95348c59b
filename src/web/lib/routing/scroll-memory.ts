import type { PageLocation } from './page-location.ts'
import { selectorOf } from './selector-of.ts'

const storageKey = 'banyan-scroll'

/** Maximum number of history entries whose scroll positions are kept. */
const maxEntries = 100

/** Scroll positions of elements (px), by selector. */
type Positions = Readonly<Record<string, readonly [left: number, top: number]>>

/**
 * Remembers the scroll positions of each history entry: of the window and of every element that scrolls. A new page starts at its top. If
 * the person goes back to an entry, or reloads, its page gets the entry's positions. Navigation within a page scrolls nothing. `pageOf` returns
 * the part of a path that identifies the page. `frame` is the selector of a scrolling element around all pages.
 */
export class ScrollMemory {
  private readonly positions = readPositions()
  private readonly scrolled = new Set<Element>()
  private page: string | null = null
  private entry: string | null = null
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

  /** Stores the scroll positions of the present location. Call it before another location is shown. */
  leave(): void {
    if (this.entry === null) return
    const elements = Array.from(this.scrolled).filter((element) => element.isConnected)
    this.positions.delete(this.entry)
    this.positions.set(
      this.entry,
      Object.fromEntries(elements.map((one) => [selectorOf(one), [one.scrollLeft, one.scrollTop] as const])),
    )
    const [oldest] = this.positions.keys()
    if (oldest !== undefined && this.positions.size > maxEntries) this.positions.delete(oldest)
  }

  /** Restores the scroll positions of a location. Call it when the location is shown, before the browser paints it. */
  arrive({ key, pathname, hash }: PageLocation): void {
    this.entry = key
    const page = this.pageOf(pathname)
    if (page === this.page) return
    this.page = page
    // Calling `scrollTo` makes the browser compute the layout at once, which takes a sixth of the time until the first cards are shown. So
    // `scrollTo` is called only for elements that were scrolled.
    for (const element of [document.documentElement, document.querySelector(this.frame)])
      if (element && this.scrolled.has(element)) element.scrollTo(0, 0)
    this.scrolled.clear()
    const positions = Object.entries(this.positions.get(key) ?? {})
    for (const [selector, [left, top]] of positions) {
      const element = document.querySelector(selector)
      element?.scrollTo(left, top)
      if (element) this.scrolled.add(element)
    }
    if (hash && positions.length === 0) document.getElementById(hash)?.scrollIntoView()
  }
}

function readPositions(): Map<string, Positions> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(storageKey) ?? '[]'))
  } catch {
    return new Map()
  }
}

function storePositions(positions: ReadonlyMap<string, Positions>): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify([...positions]))
  } catch {
    // Without storage, a reload starts at the top.
  }
}
