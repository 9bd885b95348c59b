import type { PagePath } from './declared-pages.ts'
import { brokenPage, loadPage, preloadPage, type Routes, type ShownPage, withReadSearch } from './load-page.ts'
import { matchRoute } from './match-route.ts'
import { locationOf, newKey, type PageLocation, readEntry, writeEntry } from './page-location.ts'
import type { ScrollMemory } from './scroll-memory.ts'
import { addressOf, type OpenOptions, type Target } from './target.ts'

/** Maximum number of redirects in a row. A longer chain of redirects counts as a circle. */
const maxRedirects = 20

export interface RouterSurroundings {
  /**
   * Runs a function that changes the browser's history: at once, or after open dialogs have removed their history entries
   * (ui/back-layers.ts).
   */
  write: (change: () => void) => void
  scroll: ScrollMemory
}

/**
 * Shows the page that the browser's URL names. `requested` is the location of the URL, `shown` is the page on screen. A page is shown after
 * its guards have let the visitor pass and its code and data are loaded. Until then, the previous page stays on screen. A new request
 * replaces an earlier one that is not finished.
 */
export class AppRouter {
  /** The page on screen. Null before the first page. */
  shown: ShownPage | null = null
  requested: PageLocation
  readonly scroll: ScrollMemory
  private readonly write: (change: () => void) => void
  private readonly routes: Routes
  private readonly listeners = new Set<() => void>()
  /** The paths of the requested page and of the frames around it. */
  private requestedPaths: readonly string[] = []
  /** The number of requests so far. */
  private requests = 0

  constructor(routes: Routes, { write, scroll }: RouterSurroundings) {
    this.routes = routes
    this.write = write
    this.scroll = scroll
    this.requested = readEntry()
  }

  /** Starts the router. Resolves when the first page can be shown. Call it once. */
  start(): Promise<void> {
    this.scroll.start()
    addEventListener('popstate', () => void this.request(this.currentEntry()))
    addEventListener('online', () => {
      if (this.shown?.parts.some(({ Component }) => !Component)) void this.request(this.requested)
    })
    void this.request(this.currentEntry())
    return new Promise((resolve) => {
      const stop = this.subscribe(() => {
        if (!this.shown) return
        stop()
        resolve()
      })
    })
  }

  /** Calls `listener` when `requested` or `shown` has changed. Returns the function that unsubscribes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Opens a page. Resolves when the page is shown, or when a later request has replaced this one. */
  readonly navigate = <const Path extends PagePath>(target: Target<Path> & OpenOptions): Promise<void> =>
    this.open(addressOf(target), target)

  /** Opens a URL of the app, such as a stored URL or the URL of a notification. Resolves as `navigate` does. */
  open(address: string, { replace = false, state = {} }: OpenOptions = {}): Promise<void> {
    return this.go(locationOf(address, state), replace)
  }

  /** Goes one step back in the browser's history. */
  back(): void {
    this.write(() => history.back())
  }

  /** Loads the code and the data of the page at this URL, because a link to it may be pressed soon. */
  preload(address: string): void {
    preloadPage(this.routes, address, this.shown)
  }

  /** Whether the requested page is this page, or is shown inside this page as a frame. The requested URL must also have these search parameters. */
  isRequested<const Path extends PagePath>({ to, search }: Target<Path>): boolean {
    const hasParameter = ([name, value]: [string, unknown]) =>
      value === undefined || this.requested.search[name] === value
    return this.requestedPaths.includes(to) && Object.entries({ ...search }).every(hasParameter)
  }

  private go(to: PageLocation, isReplacing: boolean, redirects = 0): Promise<void> {
    const location = withReadSearch(this.routes, to)
    const isSame = location.address === this.requested.address && isEqual(location.state, this.requested.state)
    // If the person presses a link with a hash again, the page scrolls to the target again. So the press counts as another visit.
    if (isSame && !location.hash) return this.request(this.requested, redirects)
    this.write(() => writeEntry(location, isReplacing || isSame))
    return this.request(location, redirects)
  }

  private async request(location: PageLocation, redirects = 0): Promise<void> {
    this.requests += 1
    const request = this.requests
    this.requested = location
    this.requestedPaths = matchRoute(this.routes.pages, location.pathname)?.chain.map(({ path }) => path) ?? []
    this.notify()
    const result = await this.loadOrErrorPage(location, () => request !== this.requests)
    if (!result) return
    if ('parts' in result) this.show(result)
    else if (redirects < maxRedirects) await this.go(locationOf(result.address, result.state), true, redirects + 1)
    else this.show(brokenPage(this.routes, location, new Error(`Redirects in a circle, to ${result.address}`)))
  }

  private async loadOrErrorPage(location: PageLocation, isOvertaken: () => boolean) {
    try {
      return await loadPage(this.routes, location, this.shown, isOvertaken)
    } catch (error) {
      return isOvertaken() ? null : brokenPage(this.routes, location, error)
    }
  }

  private show(page: ShownPage): void {
    this.scroll.leave()
    this.shown = page
    this.notify()
  }

  private notify(): void {
    for (const listener of Array.from(this.listeners)) listener()
  }

  /** Reads the current entry of the browser's history. Gives it a key, and the search parameters as its page reads them. */
  private currentEntry(): PageLocation {
    const entry = readEntry()
    const location = withReadSearch(this.routes, entry.key ? entry : { ...entry, key: newKey() })
    if (location.key !== entry.key || location.address !== entry.address) this.write(() => writeEntry(location, true))
    return location
  }
}

function isEqual(left: object, right: object): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
