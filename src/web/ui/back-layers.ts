/** Closes a layer that lies over the page: a dialog, a sheet, a menu. */
type Close = () => void

/** How long to wait for the browser to step back before going on without (ms). */
const stepMs = 5_000

/**
 * Makes the browser's Back close what lies over the page. Each open layer has an entry of the history above the page's own, with the same
 * address; the state of that entry counts the layers. Back leaves it, and closes the layer. A layer that is closed otherwise takes its entry
 * with it, and Forward to such an entry leads back at once. What the router writes while layers have entries waits until these are left, so that
 * none remains between two pages. One for each window.
 */
class BackLayers {
  private readonly open: Close[] = []
  private readonly history = window.history
  /** What waits for the step back that is under way; null: none is. */
  private waiting: (() => void)[] | null = null
  private timer = 0
  private stepTimer = 0
  /** The router's key of the page's entry. */
  private page = keyOf(window.history.state)

  /** Returns the function that removes it. */
  add(close: Close): () => void {
    this.open.push(close)
    this.settleLater()
    return () => {
      this.open.splice(this.open.lastIndexOf(close), 1)
      this.settleLater()
    }
  }

  /** Later: where one layer gives way to another, the second has the entry of the first. */
  private settleLater(): void {
    clearTimeout(this.timer)
    this.timer = window.setTimeout(() => this.settle())
  }

  /** Gives each open layer its entry, and leaves those of closed ones. */
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
    this.stepTimer = window.setTimeout(() => this.left(), stepMs)
  }

  /** Calls what changes the history: at once, or when the entries of layers are left. */
  write(change: () => void): void {
    const layers = layersOf(this.history.state)
    if (layers === 0 && !this.waiting) {
      change()
      this.page = keyOf(this.history.state)
      return
    }
    if (!this.waiting) this.leave(layers)
    this.waiting?.push(change)
  }

  /** For a listener that is older than the router's: the router does not hear of steps within a page. */
  stepped(event: PopStateEvent): void {
    const layers = layersOf(event.state)
    const isSamePage = layers > 0 || keyOf(event.state) === this.page
    if (isSamePage) event.stopImmediatePropagation()
    if (this.waiting) return this.left()
    if (!isSamePage) this.page = keyOf(event.state)
    for (const close of this.open.slice(isSamePage ? layers : 0).toReversed()) close()
    this.settleLater()
  }

  private left(): void {
    const { waiting } = this
    clearTimeout(this.stepTimer)
    this.waiting = null
    if (!waiting) return
    for (const change of waiting) change()
    this.page = keyOf(this.history.state)
    this.settleLater()
  }
}

declare global {
  interface Window {
    /** Made when the first layer opens; src/web/main.tsx has its listener. */
    backLayers?: BackLayers
  }
}

/** From now on Back calls `close`. Returns the function that ends it: when the layer is closed, also by Back. */
export function addBackLayer(close: Close): () => void {
  window.backLayers ??= new BackLayers()
  return window.backLayers.add(close)
}

function layersOf(state: unknown): number {
  return Number(Object(state).layers ?? 0)
}

function keyOf(state: unknown): unknown {
  return Object(state).key
}
