import { reachable } from '#web/data/server/network.ts'
import { RpcError } from '#web/data/server/rpc.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { localDatabase, type StoredList } from '#web/data/store/local-db.ts'
import { perBrand } from '#web/data/store/per-brand.ts'
import { queue } from '#web/data/store/queue.ts'
import { FollowedSource } from './followed-source.ts'
import { isAnsweredHere, tablesOf } from './is-answered-here.ts'
import { type Query, queryKey } from './query.ts'

/** What the server answers to a query. It is asked while somebody listens, and again when the table changed on the server. */
export abstract class ServerSource extends FollowedSource {
  constructor(
    data: BrandData,
    protected readonly query: Query,
    onStop: () => void,
  ) {
    super(data, onStop)
  }

  /** Asks what is not known yet, or is old. */
  protected abstract ask(): void
  /** The table changed on the server. */
  protected abstract refresh(): void
  /** The server can be reached again. */
  protected abstract onReachable(): void
  /** The answer of an earlier session. */
  protected abstract takeKept(kept: StoredList): void
  /** Rows were changed on this device. */
  protected abstract noteChangedHere(): void

  /** The device answers the query by itself: the server is not asked. */
  protected get isAnsweredHere(): boolean {
    return isAnsweredHere(this.data, this.query)
  }

  /** Keeps an answer for an offline start. */
  protected async keep(list: Omit<StoredList, 'brand_id' | 'key'>): Promise<void> {
    const { userId, brandId, device } = this.data
    if (!this.isKept()) return
    try {
      await localDatabase(device, userId).putList({ ...list, brand_id: brandId, key: this.keptKey() })
    } catch (error) {
      console.warn('An answer is not kept for an offline start.', error)
    }
  }

  protected isKept(): boolean {
    return !this.query.search
  }

  protected keptKey(): string {
    return queryKey(this.query)
  }

  protected override start(): void {
    const { data, query } = this
    this.noteChangedHere()
    this.stops = [
      queue(data.device).subscribe(() => this.noteChangedHere()),
      reachable(data.device).subscribe(() => reachable(data.device).get() && this.onReachable()),
      data.onInvalidate((table) => tablesOf(data, query).includes(table) && !this.isAnsweredHere && this.refresh()),
      data.state.subscribe(() => this.ask()),
    ]
    if (this.isAnsweredHere) return
    void this.recall()
    this.ask()
  }

  private async recall(): Promise<void> {
    const { userId, brandId, device } = this.data
    if (!this.isKept()) return
    const kept = await localDatabase(device, userId).getList(brandId, this.keptKey())
    if (kept) this.takeKept(kept)
  }
}

/** Logs an error that is a fault; that the server cannot be reached, or asks for a pause, is none. */
export function logFault(message: string, error: unknown): void {
  if (!(error instanceof RpcError) || !error.isTemporary) console.error(message, error)
}

/** One source a query of the brand, kept while somebody listens. */
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
