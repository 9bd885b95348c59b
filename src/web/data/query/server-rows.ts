import { serverPause } from '#web/data/server/network.ts'
import type { QueryAnswer } from '#web/data/server/read-queries.ts'
import type { StoredList } from '#web/data/store/local-db.ts'
import { sendQuestion } from './send-questions.ts'
import { pageRows } from './query.ts'
import { logUnlessTemporary, ServerSource } from './server-source.ts'

/** Maximum number of pages whose ids are stored, so that the list can be shown after a start without a network. */
const storedPages = 16
/** If a page could not be fetched, it is not requested again before this time has passed (ms). */
const retryAfterMs = 3000

/**
 * The rows of a query that the server answers. This object holds only their ids, in the server's order. The ids are fetched page by page when
 * their rows are visible. The rows themselves are in the collections. `mergeLocalChanges` adds the rows that this device has changed since the
 * server's answer (`changedHere`) to the list, or leaves them out.
 */
export class ServerRows extends ServerSource {
  ids: (string | null)[] = []
  total = 0
  /** True if the server stopped counting at `total` rows and has more. */
  hasMore = false
  /** True after the first request has ended, even if it failed (`hasFailed`), or after the answer that an earlier session stored was read. */
  isReady = false
  /** True if the last question failed: the server did not answer, or refused. The list is then stale or empty. */
  hasFailed = false

  /** The pages that are up to date, by number, each with the sort values of its last row. The next page begins after that row. */
  private readonly ends = new Map<number, readonly unknown[] | null>()
  private readonly underway = new Set<number>()
  /** The numbers of the pages that the server has returned since the first subscriber came. They may be stale by now. */
  private readonly answered = new Set<number>()
  /** When each page that could not be fetched may be requested again, as `clock.elapsed()` (ms). */
  private readonly retryAt = new Map<number, number>()
  /** Counts how often the table changed on the server. */
  generation = 0
  private most = this.query.most
  private readonly pageSize = this.query.limit ?? pageRows

  /** Fetches the pages that contain these indexes, unless the pages are up to date. Call it with the indexes of the visible rows. */
  want(first: number, last = first): void {
    if (!this.isSubscribed || this.isAnsweredHere) return
    // When the end of the counted rows is visible, the exact number is needed.
    if (this.most && this.hasMore && last >= this.total - 1) {
      this.most = undefined
      this.ends.delete(0)
      this.want(0)
    }
    const lastPage = this.query.limit === undefined ? Math.floor(last / this.pageSize) : 0
    for (let page = Math.floor(Math.max(0, first) / this.pageSize); page <= lastPage; page++) {
      if (this.ends.has(page) || this.underway.has(page)) continue
      if (this.data.device.clock.elapsed() < (this.retryAt.get(page) ?? 0)) continue
      this.underway.add(page)
      void this.fetch(page)
    }
  }

  protected fetchMissing(): void {
    this.want(0)
  }

  protected override stop(): void {
    super.stop()
    this.underway.clear()
    this.answered.clear()
    this.ends.clear()
  }

  /** Marks all pages as stale. They are fetched again when they are visible. */
  protected refresh(): void {
    this.generation += 1
    this.ends.clear()
    this.want(0)
    this.notify()
  }

  protected forget(): void {
    this.generation += 1
    this.ends.clear()
    this.answered.clear()
    this.ids = []
    this.total = 0
    this.isReady = false
  }

  protected onReachable(): void {
    if (this.hasFailed) this.retry()
  }

  protected applyStored({ ids, total, hasMore = false }: StoredList): void {
    if (this.isReady) return
    this.ids = [...ids]
    this.total = total
    this.hasMore = hasMore
    this.isReady = true
    this.notify()
  }

  private retry(): void {
    this.retryAt.clear()
    this.refresh()
  }

  private async fetch(page: number): Promise<void> {
    const { signal } = this.abort
    const { generation, most } = this
    // Before the brand's state has been read, it is not known whether the table is complete on this device.
    await this.data.stateKnown
    if (signal.aborted) return
    if (this.isAnsweredHere) {
      this.underway.delete(page)
      return
    }
    const request = this.beginRequest()
    try {
      const { query } = this
      const count = query.limit === undefined && page === 0 && !query.figuresApart
      const answer = await sendQuestion(
        this.data,
        { ...query, ...this.startOf(page), limit: this.pageSize, count, most },
        signal,
      )
      this.underway.delete(page)
      // If the answer is discarded, the page is not requested again before the next `refresh`.
      this.ends.set(page, null)
      if (this.answered.has(page) && this.discard(request)) return
      this.answered.add(page)
      this.applyAnswer(page, answer)
      // If the table changed on the server meanwhile, this answer may miss the change.
      if (generation === this.generation) this.ends.set(page, answer.end ?? null)
      else this.ends.delete(page)
      this.hasFailed = false
      this.endRequest(request, true)
    } catch (error) {
      this.endRequest(request, false)
      if (signal.aborted) return
      this.underway.delete(page)
      this.recordFailure(page, error)
    }
    this.isReady = true
    if (page === 0 && most !== this.most) this.ends.delete(0)
    if (page === 0 && (generation !== this.generation || most !== this.most)) this.want(0)
    this.notify()
    // The answer is stored after it was shown, because the disk may be busy.
    if (page === 0 && !this.hasFailed)
      await this.store({
        ids: this.ids.slice(0, this.pageSize * storedPages),
        total: this.total,
        hasMore: this.hasMore,
      })
  }

  /** Returns where the server should begin a page: after the last row of the nearest earlier page that is up to date. */
  private startOf(page: number): { after?: readonly unknown[]; skip?: number } {
    for (let before = page - 1; before >= 0; before--) {
      const end = this.ends.get(before)
      if (!end) continue
      const skip = (page - 1 - before) * this.pageSize
      return { after: end, ...(skip > 0 && { skip }) }
    }
    return page > 0 ? { skip: page * this.pageSize } : {}
  }

  private applyAnswer(page: number, { rows = [], total, more = false }: QueryAnswer): void {
    const start = page * this.pageSize
    const ids = rows.map(({ id }) => id)
    if (page === 0 || total !== undefined) {
      this.total = total ?? ids.length
      this.hasMore = more
    }
    // A row that has moved is removed from its old position.
    const received = new Set(ids)
    this.ids = this.ids.map((id, index) =>
      id && received.has(id) && (index < start || index >= start + ids.length) ? null : id,
    )
    // An empty page is after the end of a list that has become shorter. It must not add null ids to the list.
    if (ids.length > 0) while (this.ids.length < start) this.ids.push(null)
    ids.forEach((id, index) => {
      this.ids[start + index] = id
    })
    // Removes the ids after the end of the list: after a page that is not full, and after the total that comes with the first page.
    if (ids.length < this.pageSize) this.ids.length = Math.min(this.ids.length, start + ids.length)
    if (page === 0 && total !== undefined && this.total < this.ids.length) this.ids.length = this.total
  }

  private recordFailure(page: number, error: unknown): void {
    const wait = Math.max(retryAfterMs, serverPause(this.data.device))
    this.retryAt.set(page, this.data.device.clock.elapsed() + wait)
    this.hasFailed = true
    // If the server did not answer, `onReachable` repeats the request. If the server asked for a pause, only this timer repeats it.
    if (serverPause(this.data.device) > 0)
      this.data.device.clock.setTimeout(() => this.isSubscribed && this.retry(), wait)
    logUnlessTemporary('A page of the list could not be fetched.', error)
  }

  /** True unless the query has a search or a limit. */
  protected override mayStore(): boolean {
    return super.mayStore() && this.query.limit === undefined
  }
}
