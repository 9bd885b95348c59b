/** Closes a layer over the page: a dialog, a sheet or a menu. */
type CloseLayer = () => void

/** Maximum time to wait for the browser to step back (ms). */
const maxStepMs = 5_000

/**
 * Makes the browser's Back close the layers over the page. Each open layer has its own history entry after the page's entry, with the same URL; the
 * entry's state holds the number of layers. Back leaves the entry and closes the layer. If a layer is closed in another way, the browser goes back
 * from its entry, too. If the person then goes Forward to such an entry, the browser goes back again at once. While layers have entries, changes of
 * the router wait until these entries are left, so that none remains between two pages. One instance for each window.
 */
class BackLayers {
  private readonly open: CloseLayer[] = []
  private readonly history = window.history
  /** The functions that are called when the current step back is done. Null while there is no step back. */
  private waiting: (() => void)[] | null = null
  private timer = 0
  private stepTimer = 0
  /** The router's key of the history entry that belongs to the page. */
  private pageKey = keyOf(window.history.state)

  /** Adds a layer. Returns the function that removes it. */
  add(close: CloseLayer): () => void {
    this.open.push(close)
    this.settleLater()
    return () => {
      this.open.splice(this.open.lastIndexOf(close), 1)
      this.settleLater()
    }
  }

  /** Adds and removes history entries a moment later, so that a layer that replaces another one uses the same history entry. */
  private settleLater(): void {
    clearTimeout(this.timer)
    this.timer = window.setTimeout(() => this.settle())
  }

  /** Adds a history entry for each new layer and leaves the entries of closed layers. */
  private settle(): void {
    if (this.waiting) return
    const state: unknown = this.history.state
    const entries = layersOf(state)
    for (let layers = entries + 1; layers <= this.open.length; layers += 1)
      this.history.pushState({ ...Object(state), layers }, '')
    if (entries > this.open.length) this.leave(entries - this.open.length)
  }

  private leave(entries: number): void {
    this.waiting = []
    this.history.go(-entries)
    this.stepTimer = window.setTimeout(() => this.finishLeaving(), maxStepMs)
  }

  /** Runs a function that changes the browser's history: at once, or after the history entries of the layers have been left. */
  write(change: () => void): void {
    const layers = layersOf(this.history.state)
    if (layers === 0 && !this.waiting) {
      change()
      this.pageKey = keyOf(this.history.state)
      return
    }
    if (!this.waiting) this.leave(layers)
    this.waiting?.push(change)
  }

  /**
   * Handles a step in the browser's history. src/web/main.tsx registers it before the router's listener, so that the router does not see steps within
   * a page.
   */
  stepped(event: PopStateEvent): void {
    const layers = layersOf(event.state)
    const isSamePage = layers > 0 || keyOf(event.state) === this.pageKey
    if (isSamePage) event.stopImmediatePropagation()
    if (this.waiting) return this.finishLeaving()
    if (!isSamePage) this.pageKey = keyOf(event.state)
    for (const close of this.open.slice(isSamePage ? layers : 0).toReversed()) close()
    this.settleLater()
  }

  private finishLeaving(): void {
    const { waiting } = this
    clearTimeout(this.stepTimer)
    this.waiting = null
    if (!waiting) return
    for (const change of waiting) change()
    this.pageKey = keyOf(this.history.state)
    this.settleLater()
  }
}

declare global {
  interface Window {
    /** Created when the first layer opens. src/web/main.tsx registers its listener. */
    backLayers?: BackLayers
  }
}

/** Makes Back call `close` from now on. Returns the function to call when the layer has been closed, also if Back closed it. */
export function addBackLayer(close: CloseLayer): () => void {
  window.backLayers ??= new BackLayers()
  return window.backLayers.add(close)
}

function layersOf(state: unknown): number {
  return Number(Object(state).layers ?? 0)
}

function keyOf(state: unknown): unknown {
  return Object(state).key
}
