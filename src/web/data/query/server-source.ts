import { reachable } from '#web/data/server/network.ts'
import { RpcError } from '#web/data/server/rpc.ts'
import type { Timer } from '#web/data/browser/surroundings.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { localDatabase, type StoredList } from '#web/data/store/local-db.ts'
import { perBrand } from '#web/data/store/per-brand.ts'
import { queue } from '#web/data/store/queue.ts'
import { type AnswerRequest, OwnChanges } from './own-changes.ts'
import { SubscribedSource } from './subscribed-source.ts'
import { isAnsweredHere, tablesOf } from './is-answered-here.ts'
import { type Query, queryKey } from './query.ts'
import { isQueueStuck } from './queue-progress.ts'

/**
 * An answer is uncertain if it is not known which of this device's changes it includes. Consecutive uncertain answers are discarded for this time
 * (ms). After that they are shown for `showingMs`, although they may count a change twice: otherwise a person who changes something during each
 * request would never see the changes of colleagues.
 */
const discardingMs = 30_000
/** Time for which uncertain answers are shown after `discardingMs` (ms). A longer time without an answer counts as this time. */
const showingMs = 5000
/** If the changes have not been sent within this time after an answer was discarded, the server is queried again (ms). */
const requeryAfterMs = 2000

/**
 * The server's answer to a query, as a source of views. The server is queried while the source has a subscriber, and again after the table
 * has changed on the server.
 */
export abstract class ServerSource extends SubscribedSource {
  constructor(
    data: BrandData,
    protected readonly query: Query,
    onStop: () => void,
  ) {
    super(data, onStop)
    this.ownChanges = new OwnChanges(data.tables[query.table])
  }

  /** Whether this device has looked for an answer that an earlier session stored. */
  isStoredRead = false
  private readonly ownChanges: OwnChanges
  /** The ids of the rows in `changedHere` when the last answer came. It is not known whether that answer includes the changes of these rows. */
  private uncertain: string[] = []
  /**
   * For how long all answers have been uncertain (ms). A time without an answer that is longer than `showingMs` counts as `showingMs`. Begins again
   * at 0 after `discardingMs + showingMs`.
   */
  private uncertainMs = 0
  private lastUncertainAt = 0
  private retryTimer: Timer | undefined

  /** Fetches the parts of the answer that are unknown or stale. */
  protected abstract fetchMissing(): void
  /** Marks the answer as stale. Called when the table has changed on the server. */
  protected abstract refresh(): void
  /** Forgets the answer. Called instead of `refresh` while this device answers the query by itself. */
  protected abstract forget(): void
  /** Repeats the request if an answer is missing. Called when the server is reachable again. */
  protected abstract onReachable(): void
  /** Shows the answer that an earlier session stored, unless the server has answered already. */
  protected abstract applyStored(stored: StoredList): void

  /** The rows that this device has changed since it requested the last answer, as that answer has them. The changes may still wait to be sent. */
  get changedHere(): ReadonlyMap<string, AnyRow | undefined> {
    return this.ownChanges.before
  }

  /** Call `beginRequest` before each request, and `endRequest` when the request has ended. */
  protected beginRequest(): AnswerRequest {
    return this.ownChanges.begin()
  }

  /**
   * Discards the answer to a request if it is uncertain (`discardingMs`), and returns whether it did. The previous answer then stays, because all
   * changes since that answer are known. Queries the server again when the changes have been sent, or after `requeryAfterMs`. Does not discard the
   * answer if the queue is stuck, or after answers were discarded for `discardingMs`.
   */
  protected discard(request: AnswerRequest): boolean {
    const { device } = this.data
    const now = device.clock.elapsed()
    const gapMs = Math.min(now - this.lastUncertainAt, showingMs)
    const isUncertain = this.ownChanges.isUncertain(request) && !isQueueStuck(device)
    this.uncertainMs = isUncertain ? (this.uncertainMs + gapMs) % (discardingMs + showingMs) : 0
    this.lastUncertainAt = now
    device.clock.clearTimeout(this.retryTimer)
    if (!isUncertain || this.uncertainMs >= discardingMs) return false
    this.ownChanges.end(request, false)
    this.uncertain = [...this.ownChanges.waiting]
    if (this.uncertain.length === 0) this.refresh()
    // The changes may wait for long, for example while an earlier operation needs attention.
    else
      this.retryTimer = device.clock.setTimeout(
        () => this.isSubscribed && this.uncertain.length > 0 && this.refresh(),
        requeryAfterMs,
      )
    return true
  }

  /** Call it when a request has ended. `isApplied`: its answer is now shown. */
  protected endRequest(request: AnswerRequest, isApplied: boolean): void {
    this.ownChanges.end(request, isApplied)
    if (!isApplied) return
    this.uncertain = [...this.changedHere.keys()]
    this.followChanges()
  }

  /**
   * Records which rows this device has changed. Queries the server again if an uncertain change has been sent: a pull may have fetched the
   * changed row before, and then no later pull invalidates the answer.
   */
  private followChanges(): void {
    const rows = this.data.tables[this.query.table]
    this.ownChanges.follow()
    if (!reachable(this.data.device).get() || this.uncertain.every((id) => rows.isWaiting(id))) return
    this.uncertain = []
    this.refresh()
  }

  /** Forgets the answer if this device answers the query by itself, because this answer must not be shown if the table becomes windowed again. */
  private refreshOrForget(): void {
    if (this.isAnsweredHere) this.forget()
    else this.refresh()
  }

  /** True if this device answers the query by itself. The server is then not queried. */
  protected get isAnsweredHere(): boolean {
    return isAnsweredHere(this.data, this.query)
  }

  /** Stores an answer in the local database, so that it can be shown after a start without a network. */
  protected async store(list: Omit<StoredList, 'brand_id' | 'key'>): Promise<void> {
    const { userId, brandId, device } = this.data
    if (!this.mayStore()) return
    try {
      await localDatabase(device, userId).putList({ ...list, brand_id: brandId, key: this.storedKey() })
    } catch (error) {
      console.warn('An answer could not be stored.', error)
    }
  }

  protected mayStore(): boolean {
    return !this.query.search
  }

  protected storedKey(): string {
    return queryKey(this.query)
  }

  protected override start(): void {
    const { data, query } = this
    this.uncertainMs = 0
    this.followChanges()
    this.stops = [
      queue(data.device).subscribe(() => this.followChanges()),
      reachable(data.device).subscribe(() => reachable(data.device).get() && this.onReachable()),
      data.onInvalidate((table) => tablesOf(data, query).includes(table) && this.refreshOrForget()),
      data.state.subscribe(() => this.fetchMissing()),
    ]
    if (this.isAnsweredHere) return
    void this.readStored()
    this.fetchMissing()
  }

  /** Reads the answer that an earlier session stored. */
  private async readStored(): Promise<void> {
    const { userId, brandId, device } = this.data
    if (!this.mayStore()) return
    const stored = await localDatabase(device, userId)
      .getList(brandId, this.storedKey())
      .catch(() => undefined)
    this.isStoredRead = true
    if (stored) this.applyStored(stored)
    else this.notify()
  }
}

/** Logs an error to the console. Does not log temporary errors (the server is unreachable or asks for a pause). */
export function logUnlessTemporary(message: string, error: unknown): void {
  if (!(error instanceof RpcError) || !error.isTemporary) console.error(message, error)
}

/**
 * Makes the function that looks up the source of a query. Queries of a brand with the same `queryKey` share one source, which is kept while
 * it has subscribers.
 */
export function serverSources<Kind extends ServerSource>(
  Make: new (data: BrandData, query: Query, onStop: () => void) => Kind,
): (data: BrandData, query: Query) => Kind {
  const sourcesOf = perBrand(() => new Map<string, Kind>())
  return (data, query) => {
    const sources = sourcesOf(data)
    const key = queryKey(query)
    const source = sources.get(key) ?? new Make(data, query, () => sources.delete(key))
    sources.set(key, source)
    return source
  }
}
