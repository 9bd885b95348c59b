import type { PageLocation } from './page-location.ts'
import { selectorOf } from './selector-of.ts'

const storageKey = 'banyan-scroll'

/** So many entries of the history are kept. */
const maxEntries = 100

/** How far elements were scrolled (px), by their selectors. */
type Places = Readonly<Record<string, readonly [left: number, top: number]>>

/**
 * Keeps how far each entry of the history was scrolled: the window and every element in it. Another page begins at its top, or where its
 * entry was left, also after a reload; within a page nothing moves. `pageOf`: which part of a path is the page. `frame`: the selector of an
 * element around all pages that scrolls.
 */
export class ScrollMemory {
  private readonly places = storedPlaces()
  private readonly scrolled = new Set<Element>()
  private page: string | null = null
  private entry: string | null = null
  private readonly pageOf: (pathname: string) => string
  private readonly frame: string

  constructor(pageOf: (pathname: string) => string, frame: string) {
    this.pageOf = pageOf
    this.frame = frame
  }

  /** Call it once. */
  start(): void {
    history.scrollRestoration = 'manual'
    document.addEventListener(
      'scroll',
      ({ target }) => this.scrolled.add(target instanceof Element ? target : document.documentElement),
      { capture: true, passive: true },
    )
    addEventListener('pagehide', () => {
      // After a reload the browser is faster than this class.
      history.scrollRestoration = 'auto'
      this.leave()
      storePlaces(this.places)
    })
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) history.scrollRestoration = 'manual'
    })
  }

  /** Call it before another location is shown. */
  leave(): void {
    if (this.entry === null) return
    const elements = Array.from(this.scrolled).filter((element) => element.isConnected)
    this.places.delete(this.entry)
    this.places.set(
      this.entry,
      Object.fromEntries(elements.map((one) => [selectorOf(one), [one.scrollLeft, one.scrollTop] as const])),
    )
    const [oldest] = this.places.keys()
    if (oldest !== undefined && this.places.size > maxEntries) this.places.delete(oldest)
  }

  /** Call it when the location is shown, before it is painted. */
  arrive({ key, pathname, hash }: PageLocation): void {
    this.entry = key
    const page = this.pageOf(pathname)
    if (page === this.page) return
    this.page = page
    this.scrolled.clear()
    for (const element of [document.documentElement, document.querySelector(this.frame)]) element?.scrollTo(0, 0)
    const places = Object.entries(this.places.get(key) ?? {})
    for (const [selector, [left, top]] of places) document.querySelector(selector)?.scrollTo(left, top)
    if (hash && places.length === 0) document.getElementById(hash)?.scrollIntoView()
  }
}

function storedPlaces(): Map<string, Places> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(storageKey) ?? '[]'))
  } catch {
    return new Map()
  }
}

function storePlaces(places: ReadonlyMap<string, Places>): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify([...places]))
  } catch {
    // Without storage a reload begins at the top.
  }
}
