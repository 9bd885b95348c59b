import type { BrandData } from '#web/data/store/brand-data.ts'
import type { Source } from './view.ts'

/** A source that queries the server only while it has subscribers: it starts with the first and stops after the last. */
export abstract class SubscribedSource implements Source {
  /** Aborted when the last subscriber has left. */
  protected abort = new AbortController()
  /** Functions that end the subscriptions made by `start`. */
  protected stops: (() => void)[] = []
  private readonly listeners = new Set<(urgent: boolean) => void>()
  private changes = 0

  constructor(
    protected readonly data: BrandData,
    /** Called when the last subscriber has left. */
    private readonly onStop: () => void,
  ) {}

  /** Called when the first subscriber comes. Must fill `stops`. */
  protected abstract start(): void

  revision = (): number => this.changes

  subscribe = (listener: (urgent: boolean) => void): (() => void) => {
    this.listeners.add(listener)
    if (!this.isSubscribed) this.start()
    return () => {
      this.listeners.delete(listener)
      // A component that renders again subscribes again at once.
      this.data.device.clock.setTimeout(() => this.listeners.size === 0 && this.isSubscribed && this.stop(), 0)
    }
  }

  /** True while there is a subscriber, and for a moment after the last one has left. */
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
