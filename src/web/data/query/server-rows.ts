import { serverPause } from '#web/data/server/network.ts'
import type { QueryAnswer } from '#web/data/server/read-queries.ts'
import type { StoredList } from '#web/data/store/local-db.ts'
import { askQuery } from './ask-queries.ts'
import { pageRows } from './query.ts'
import { logFault, ServerSource } from './server-source.ts'

/** Pages of a list whose ids are kept for an offline start. */
const keptPages = 16
/** A page that did not come is not asked for again before this time is over. Milliseconds. */
const retryAfterMs = 3000

/**
 * A query that the server answers: the ids in its order, fetched page by page as they are looked at; the rows are in the
 * collections. Rows that were changed here since are listed in `changedHere`, for the reader to put in or leave out.
 */
export class ServerRows extends ServerSource {
  ids: (string | null)[] = []
  total = 0
  /** There are more than `total`: no more were counted yet. */
  hasMore = false
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
  /** Counts how often the table changed on the server. */
  generation = 0
  private most = this.query.most
  private readonly pageSize = this.query.limit ?? pageRows

  /** The first answer is still to come. */
  get isAsking(): boolean {
    return !this.hasAnswer
  }

  /** These places are in sight: their pages are fetched unless they are here and up to date. */
  want(first: number, last = first): void {
    if (!this.isFollowed || this.isAnsweredHere) return
    // Who looks at the end of what was counted wants to know how many there are.
    if (this.most && this.hasMore && last >= this.total - 1) {
      this.most = undefined
      this.ends.delete(0)
      this.want(0)
    }
    const lastPage = this.query.limit === undefined ? Math.floor(last / this.pageSize) : 0
    for (let page = Math.floor(Math.max(0, first) / this.pageSize); page <= lastPage; page++) {
      if (this.ends.has(page) || this.underway.has(page)) continue
      if (this.data.device.clock.elapsed() < (this.notBefore.get(page) ?? 0)) continue
      this.underway.add(page)
      void this.fetch(page)
    }
  }

  protected ask(): void {
    this.want(0)
  }

  protected override stop(): void {
    super.stop()
    this.underway.clear()
    this.ends.clear()
  }

  /** Pages are fetched again as they are looked at. */
  protected refresh(): void {
    this.generation += 1
    this.ends.clear()
    this.want(0)
    this.tell()
  }

  protected onReachable(): void {
    if (this.isUnreachable) this.askAgain()
  }

  protected takeKept({ ids, total, hasMore = false }: StoredList): void {
    if (this.hasAnswer) return
    this.ids = [...ids]
    this.total = total
    this.hasMore = hasMore
    this.hasAnswer = true
    this.tell()
  }

  private askAgain(): void {
    this.notBefore.clear()
    this.refresh()
  }

  private async fetch(page: number): Promise<void> {
    const changedBefore = new Set(this.changedHere)
    const { signal } = this.abort
    const { generation, most } = this
    // Just opened, a brand looks empty: what this device has of it may be the whole table.
    await this.data.stateKnown
    if (signal.aborted) return
    if (this.isAnsweredHere) {
      this.underway.delete(page)
      return
    }
    try {
      const { query } = this
      const count = query.limit === undefined && page === 0 && !query.figuresApart
      const answer = await askQuery(
        this.data,
        { ...query, ...this.placeOf(page), limit: this.pageSize, count, most },
        signal,
      )
      this.takeIn(page, answer)
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
    if (page === 0 && most !== this.most) this.ends.delete(0)
    if (page === 0 && (generation !== this.generation || most !== this.most)) this.want(0)
    this.tell()
    // Last: the disk may be busy.
    if (page === 0 && !this.isUnreachable)
      await this.keep({ ids: this.ids.slice(0, this.pageSize * keptPages), total: this.total, hasMore: this.hasMore })
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

  private takeIn(page: number, { rows = [], total, more = false }: QueryAnswer): void {
    const start = page * this.pageSize
    const ids = rows.map(({ id }) => id)
    if (page === 0 || total !== undefined) {
      this.total = total ?? ids.length
      this.hasMore = more
    }
    // A row that moved stands where it is now, not where it was.
    const come = new Set(ids)
    this.ids = this.ids.map((id, index) =>
      id && come.has(id) && (index < start || index >= start + ids.length) ? null : id,
    )
    // A page behind the end of the list, which has become shorter, has no places.
    if (ids.length > 0) while (this.ids.length < start) this.ids.push(null)
    ids.forEach((id, index) => {
      this.ids[start + index] = id
    })
    // What the page held before and what the server does not count.
    if (ids.length < this.pageSize) this.ids.length = Math.min(this.ids.length, start + ids.length)
    if (page === 0 && total !== undefined && this.total < this.ids.length) this.ids.length = this.total
  }

  private noteFailure(page: number, error: unknown): void {
    const wait = Math.max(retryAfterMs, serverPause(this.data.device))
    this.notBefore.set(page, this.data.device.clock.elapsed() + wait)
    this.isUnreachable = true
    // After silence `reachable` says when to ask again; after a pause that the server asked for nothing else does.
    if (serverPause(this.data.device) > 0)
      this.data.device.clock.setTimeout(() => this.isFollowed && this.askAgain(), wait)
    logFault('A page of the list did not come.', error)
  }

  /** Short lists are not kept. */
  protected override isKept(): boolean {
    return super.isKept() && this.query.limit === undefined
  }

  protected noteChangedHere(): void {
    for (const id of this.data.tables[this.query.table].waitingIds()) this.changedHere.add(id)
  }
}
