import type { BrandData } from '#web/data/store/brand-data.ts'
import type { Source } from './view.ts'

/** A source that asks the server while somebody listens: it starts with the first listener and stops after the last one. */
export abstract class FollowedSource implements Source {
  /** Aborted when nobody listens any more. */
  protected abort = new AbortController()
  /** End the subscriptions of `start`. */
  protected stops: (() => void)[] = []
  private readonly listeners = new Set<(urgent: boolean) => void>()
  private changes = 0

  constructor(
    protected readonly data: BrandData,
    /** Nobody listens any more. */
    private readonly onStop: () => void,
  ) {}

  /** The first listener came. Fills `stops`. */
  protected abstract start(): void

  revision = (): number => this.changes

  subscribe = (listener: (urgent: boolean) => void): (() => void) => {
    this.listeners.add(listener)
    if (!this.isFollowed) this.start()
    return () => {
      this.listeners.delete(listener)
      // A component that is drawn anew listens again at once.
      this.data.device.clock.setTimeout(() => this.listeners.size === 0 && this.isFollowed && this.stop(), 0)
    }
  }

  /** Somebody listens, or did a moment ago. */
  protected get isFollowed(): boolean {
    return this.stops.length > 0
  }

  protected stop(): void {
    this.abort.abort()
    this.abort = new AbortController()
    for (const stop of this.stops.splice(0)) stop()
    this.onStop()
  }

  /** Tells the listeners that the answer is another one. */
  protected tell(): void {
    this.changes += 1
    for (const listener of Array.from(this.listeners)) listener(true)
  }
}
