import { reachable, serverPause } from '#web/data/server/network.ts'
import { RpcError } from '#web/data/server/rpc.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { localDatabase } from '#web/data/store/local-db.ts'
import { queue } from '#web/data/store/queue.ts'
import { askQuery } from './ask-queries.ts'
import { isAnsweredHere, tablesOf } from './is-answered-here.ts'
import { pageRows, type Query, queryKey } from './query.ts'
import type { Source } from './view.ts'

/** Pages of a list whose ids are kept for an offline start. */
const keptPages = 16
/** A page that did not come is not asked for again before this time is over. Milliseconds. */
const retryAfterMs = 3000

/**
 * A query that the server answers: the ids in its order, fetched page by page as they are looked at; the rows are in the
 * collections. Rows that were changed here since are listed in `changedHere`, for the reader to put in or leave out.
 */
export class ServerRows implements Source {
  ids: (string | null)[] = []
  total = 0
  /** The server has answered: now, or in an earlier session for a kept list. */
  hasAnswer = false
  /** The last question got no answer: what is known is old, or nothing. */
  isUnreachable = false
  /** Ids of rows that were changed on this device since the last answer, whether they wait or not. */
  readonly changedHere = new Set<string>()

  /** Pages that hold what the server has, and the key values of their last rows: where the next page begins. */
  private readonly ends = new Map<number, readonly unknown[] | null>()
  private readonly underway = new Set<number>()
  private readonly notBefore = new Map<number, number>()
  private readonly listeners = new Set<(urgent: boolean) => void>()
  private stops: (() => void)[] = []
  private abort = new AbortController()
  private changes = 0
  /** Counts how often the table changed on the server. */
  generation = 0
  private readonly pageSize: number

  constructor(
    private readonly data: BrandData,
    private readonly query: Query,
    /** Nobody looks at these rows any more. */
    private readonly onStop: () => void,
  ) {
    this.pageSize = query.limit ?? pageRows
  }

  revision = (): number => this.changes

  /** The first answer is still to come. */
  get isAsking(): boolean {
    return !this.hasAnswer
  }

  /** Fetches the first page, and follows the table as long as somebody listens. */
  subscribe = (listener: (urgent: boolean) => void): (() => void) => {
    this.listeners.add(listener)
    if (this.listeners.size === 1) this.start()
    return () => {
      this.listeners.delete(listener)
      // A component that is drawn anew listens again at once.
      this.data.device.clock.setTimeout(() => this.listeners.size === 0 && this.stop(), 0)
    }
  }

  /** These places are in sight: their pages are fetched unless they are here and up to date. */
  want(first: number, last = first): void {
    if (this.stops.length === 0 || isAnsweredHere(this.data, this.query)) return
    const lastPage = this.query.limit === undefined ? Math.floor(last / this.pageSize) : 0
    for (let page = Math.floor(Math.max(0, first) / this.pageSize); page <= lastPage; page++) {
      if (this.ends.has(page) || this.underway.has(page)) continue
      if (this.data.device.clock.elapsed() < (this.notBefore.get(page) ?? 0)) continue
      this.underway.add(page)
      void this.fetch(page)
    }
  }

  private start(): void {
    if (this.stops.length > 0) return
    const { data, query } = this
    this.noteChangedHere()
    this.stops = [
      queue(data.device).subscribe(() => this.noteChangedHere()),
      reachable(data.device).subscribe(() => reachable(data.device).get() && this.isUnreachable && this.askAgain()),
      data.onInvalidate(
        (table) => tablesOf(data, query).includes(table) && !isAnsweredHere(data, query) && this.refresh(),
      ),
      data.state.subscribe(() => this.want(0)),
    ]
    if (isAnsweredHere(data, query)) return
    void this.recall()
    this.want(0)
  }

  private stop(): void {
    this.abort.abort()
    this.abort = new AbortController()
    this.underway.clear()
    for (const stop of this.stops.splice(0)) stop()
    this.ends.clear()
    this.onStop()
  }

  /** The table changed on the server: pages are fetched again as they are looked at. */
  private refresh(): void {
    this.generation += 1
    this.ends.clear()
    this.want(0)
    this.tell()
  }

  private askAgain(): void {
    this.notBefore.clear()
    this.refresh()
  }

  /** Takes the ids of an earlier session until the server has answered. */
  private async recall(): Promise<void> {
    if (!this.isKept()) return
    const { userId, brandId } = this.data
    const kept = await localDatabase(this.data.device, userId).getList(brandId, queryKey(this.query))
    if (!kept || this.hasAnswer) return
    this.ids = [...kept.ids]
    this.total = kept.total
    this.hasAnswer = true
    this.tell()
  }

  private async fetch(page: number): Promise<void> {
    const changedBefore = new Set(this.changedHere)
    const { signal } = this.abort
    const { generation } = this
    // Just opened, a brand looks empty: what this device has of it may be the whole table.
    await this.data.stateKnown
    if (signal.aborted) return
    if (isAnsweredHere(this.data, this.query)) {
      this.underway.delete(page)
      return
    }
    try {
      const { query } = this
      const answer = await askQuery(
        this.data,
        { ...query, ...this.placeOf(page), limit: this.pageSize, count: page === 0 && query.limit === undefined },
        signal,
      )
      this.takeIn(
        page,
        (answer.rows ?? []).map(({ id }) => id),
        answer.total,
      )
      // A change on the server meanwhile may not be in this answer.
      if (generation === this.generation) this.ends.set(page, answer.end ?? null)
      this.isUnreachable = false
      for (const id of changedBefore) if (!this.data.tables[query.table].isWaiting(id)) this.changedHere.delete(id)
    } catch (error) {
      if (signal.aborted) return
      this.noteFailure(page, error)
    }
    this.underway.delete(page)
    this.hasAnswer = true
    if (generation !== this.generation && page === 0) this.want(0)
    this.tell()
    // Last: the disk may be busy.
    if (page === 0 && !this.isUnreachable && this.isKept()) await this.keep()
  }

  /** Where a page begins: behind the nearest page before it that is up to date. */
  private placeOf(page: number): { after?: readonly unknown[]; skip?: number } {
    for (let before = page - 1; before >= 0; before--) {
      const end = this.ends.get(before)
      if (!end) continue
      const skip = (page - 1 - before) * this.pageSize
      return { after: end, ...(skip > 0 && { skip }) }
    }
    return page > 0 ? { skip: page * this.pageSize } : {}
  }

  private takeIn(page: number, ids: readonly string[], total: number | undefined): void {
    const start = page * this.pageSize
    if (page === 0) this.total = total ?? ids.length
    // A row that moved stands where it is now, not where it was.
    const come = new Set(ids)
    this.ids = this.ids.map((id, index) =>
      id && come.has(id) && (index < start || index >= start + ids.length) ? null : id,
    )
    while (this.ids.length < start) this.ids.push(null)
    ids.forEach((id, index) => {
      this.ids[start + index] = id
    })
    // What the page held before and what the server does not count.
    if (ids.length < this.pageSize) this.ids.length = start + ids.length
    if (page === 0 && this.total < this.ids.length) this.ids.length = this.total
  }

  private noteFailure(page: number, error: unknown): void {
    const wait = Math.max(retryAfterMs, serverPause(this.data.device))
    this.notBefore.set(page, this.data.device.clock.elapsed() + wait)
    this.isUnreachable = true
    // After silence `reachable` says when to ask again; after a pause that the server asked for nothing else does.
    if (serverPause(this.data.device) > 0)
      this.data.device.clock.setTimeout(() => this.listeners.size > 0 && this.askAgain(), wait)
    if (!(error instanceof RpcError) || !error.isTemporary) console.error('A page of the list did not come.', error)
  }

  /** Searches and short lists are not kept for an offline start. */
  private isKept(): boolean {
    return !this.query.search && this.query.limit === undefined
  }

  private async keep(): Promise<void> {
    const { userId, brandId } = this.data
    const ids = this.ids.slice(0, this.pageSize * keptPages)
    try {
      await localDatabase(this.data.device, userId).putList({
        brand_id: brandId,
        key: queryKey(this.query),
        ids,
        total: this.total,
      })
    } catch (error) {
      console.warn('A list is not kept for an offline start.', error)
    }
  }

  private noteChangedHere(): void {
    for (const id of this.data.tables[this.query.table].waitingIds()) this.changedHere.add(id)
  }

  private tell(): void {
    this.changes += 1
    for (const listener of Array.from(this.listeners)) listener(true)
  }
}
