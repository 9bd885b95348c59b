import type { BrandData } from '#web/data/store/brand-data.ts'
import type { Source } from './view.ts'

/**
 * A source that queries the server only while somebody subscribes to it. It starts with the first subscriber and stops after the last one
 * has left.
 */
export abstract class SubscribedSource implements Source {
  /** Aborts the requests when the last subscriber has left. */
  protected abort = new AbortController()
  /** The functions that end the subscriptions that `start` made. */
  protected stops: (() => void)[] = []
  private readonly listeners = new Set<(urgent: boolean) => void>()
  private changes = 0

  constructor(
    protected readonly data: BrandData,
    /** Is called when the last subscriber has left. */
    private readonly onStop: () => void,
  ) {}

  /**
   * Begins to query the server. Called when the first subscriber comes. It must add to `stops` the functions that end its subscriptions.
   */
  protected abstract start(): void

  changeId = (): number => this.changes

  subscribe = (listener: (urgent: boolean) => void): (() => void) => {
    this.listeners.add(listener)
    if (!this.isSubscribed) this.start()
    return () => {
      this.listeners.delete(listener)
      // The source stops a moment later, because a component that renders again unsubscribes and subscribes again at once.
      this.data.device.clock.setTimeout(() => this.listeners.size === 0 && this.isSubscribed && this.stop(), 0)
    }
  }

  /** True while the source has a subscriber, and for a moment after the last one has left. */
  protected get isSubscribed(): boolean {
    return this.stops.length > 0
  }

  protected stop(): void {
    this.abort.abort()
    this.abort = new AbortController()
    for (const stop of this.stops.splice(0)) stop()
    this.onStop()
  }

  /** Notifies the subscribers that the answer has changed. */
  protected notify(): void {
    this.changes += 1
    for (const listener of Array.from(this.listeners)) listener(true)
  }
}
