import { reachable } from '#web/data/server/network.ts'
import { RpcError } from '#web/data/server/rpc.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { localDatabase, type StoredList } from '#web/data/store/local-db.ts'
import { perBrand } from '#web/data/store/per-brand.ts'
import { queue } from '#web/data/store/queue.ts'
import { SubscribedSource } from './subscribed-source.ts'
import { isAnsweredHere, tablesOf } from './is-answered-here.ts'
import { type Query, queryKey } from './query.ts'

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
  }

  /** Whether this device has looked for an answer that an earlier session stored. */
  isStoredRead = false
  /**
   * The rows that this device has changed since it requested the last answer, as the server had them then. Undefined for a row that the
   * server did not have. The changes may still wait to be sent.
   */
  readonly changedHere = new Map<string, AnyRow | undefined>()
  /** The rows of `changedHere` when the last answer came. It is not known whether the answer includes these changes. */
  private uncertain: string[] = []

  /** Fetches the parts of the answer that are unknown or stale. */
  protected abstract fetchMissing(): void
  /** Marks the answer as stale. Called when the table has changed on the server. */
  protected abstract refresh(): void
  /** Forgets the answer. Called instead of `refresh` while this device answers the query by itself. */
  protected abstract forget(): void
  /** Repeats the request if an answer is missing. Called when the server is reachable again. */
  protected abstract onReachable(): void
  /** Takes over the answer that an earlier session stored. */
  protected abstract applyStored(kept: StoredList): void

  /** Returns the rows of `changedHere` whose changes have been sent. An answer that is requested now includes these changes. */
  protected sentChanges(): string[] {
    return [...this.changedHere.keys()].filter((id) => !this.data.tables[this.query.table].isWaiting(id))
  }

  /** Call it with each answer, and with the result of `sentChanges` from before its request. */
  protected forgetChanges(ids: readonly string[]): void {
    for (const id of ids) this.changedHere.delete(id)
    this.uncertain = []
    // Some of these rows may have been changed again since the request.
    this.followChanges()
    this.uncertain = [...this.changedHere.keys()]
    this.followChanges()
  }

  /**
   * Records which rows this device has changed. Queries the server again if an uncertain change has been sent: a pull may have fetched the
   * changed row before, and then no later pull marks the answer as stale.
   */
  private followChanges(): void {
    const rows = this.data.tables[this.query.table]
    for (const id of rows.waitingIds()) if (!this.changedHere.has(id)) this.changedHere.set(id, rows.onServer(id))
    if (!reachable(this.data.device).get() || this.uncertain.every((id) => rows.isWaiting(id))) return
    this.uncertain = []
    this.refresh()
  }

  /** An answer from before the table was complete must not be shown if the table becomes windowed again. */
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
    const kept = await localDatabase(device, userId)
      .getList(brandId, this.storedKey())
      .catch(() => undefined)
    this.isStoredRead = true
    if (kept) this.applyStored(kept)
    else this.notify()
  }
}

/** Logs an error to the console. Does not log temporary errors (the server is unreachable or asks for a pause). */
export function logFault(message: string, error: unknown): void {
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
