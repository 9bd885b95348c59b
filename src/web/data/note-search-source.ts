import { maxSearchCharacters } from './note-words.ts'
import { timelineTables, type TimelineTable } from './notes.ts'
import { storeAnsweredRows } from '#web/data/query/send-questions.ts'
import { SubscribedSource } from '#web/data/query/subscribed-source.ts'
import type { Where } from '#web/data/query/list-options.ts'
import { logUnlessTemporary } from '#web/data/query/server-source.ts'
import type { Timer } from '#web/data/browser/surroundings.ts'
import { retryDelayMsAfter } from '#web/data/server/retry-delay.ts'
import { reachable } from '#web/data/server/network.ts'
import { rpc } from '#web/data/server/rpc.ts'
import type { Note } from '#web/data/server/rows.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'

/** A text is searched for when nothing was typed for this time. All changes of rows within this time cause one request. */
const restMs = 150
/** If the server has not answered after this time, the notes on this device are shown until it answers. */
const lateMs = 1500

/** A search in the notes of the records of a list. */
export interface NoteQuery {
  table: TimelineTable
  search: string
  /** True for only the records of the signed-in user. */
  mine?: boolean
  /** The conditions of the list. */
  where?: Where | undefined
}

/** Returns the conditions that the records must meet. */
export function conditionsOf(data: BrandData, { mine, where }: NoteQuery): Where {
  return { ...(mine && { owner_id: data.userId }), ...where }
}

interface Answer {
  notes: Note[]
  named: Partial<Record<TimelineTable, AnyRow[]>>
  next: string | null
}

/** Fetches the notes that a search finds, page by page, into the collections. */
export class NoteSearchSource extends SubscribedSource {
  /** Where the next page begins. The notes of that page and of later ones are not known yet. Null if all notes were fetched, or none yet. */
  next: string | null = null
  hasAnswer = false
  /** True if the server is unreachable or slow, or the last request failed, so that no answer is expected for now. */
  isGivenUp = false

  private readonly timers = new Set<Timer>()
  /** Number of fetched pages. */
  private pages = 0
  /** Number of pages to fetch. */
  private wanted = 1
  private isFetching = false
  /** True while a request is planned: it is sent `restMs` after the first change. */
  private isScheduled = false
  /** True if the notes changed while a request was running. */
  private isOutdated = false

  constructor(
    data: BrandData,
    private readonly query: NoteQuery,
    onStop: () => void,
  ) {
    super(data, onStop)
  }

  /** Fetches the next page, now or after the pages that are being fetched. */
  more = (): void => {
    if (this.next === null) return
    this.wanted = this.pages + 1
    if (!this.isFetching) void this.fetchPages(this.next)
  }

  protected override start(): void {
    const { data, query } = this
    const isReachable = reachable(data.device)
    this.stops = [
      isReachable.subscribe(() => isReachable.get() && this.isGivenUp && void this.fetchPages()),
      data.onInvalidate((table) => (table === 'notes' || table === query.table) && this.fetchSoon()),
    ]
    if (isReachable.get()) {
      this.fetchSoon()
      this.later(lateMs, () => this.giveUp())
    } else this.giveUp()
  }

  protected override stop(): void {
    this.isFetching = false
    this.isScheduled = false
    this.isOutdated = false
    for (const timer of this.timers) this.data.device.clock.clearTimeout(timer)
    this.timers.clear()
    super.stop()
  }

  private later(ms: number, run: () => void): void {
    const timer = this.data.device.clock.setTimeout(() => {
      this.timers.delete(timer)
      run()
    }, ms)
    this.timers.add(timer)
  }

  /** Fetches once for all changes within `restMs`, because a pull changes the rows of several tables. */
  private fetchSoon(): void {
    if (this.isScheduled) return
    this.isScheduled = true
    this.later(restMs, () => {
      this.isScheduled = false
      void this.fetchPages()
    })
  }

  private giveUp(): void {
    if (this.hasAnswer) return
    this.isGivenUp = true
    this.notify()
  }

  /** Fetches the page that begins at `before`, or, if it is null, all wanted pages again. Sends one request per page, so that no answer is large. */
  private async fetchPages(before: string | null = null): Promise<void> {
    if (this.isFetching) {
      this.isOutdated = true
      return
    }
    const { signal } = this.abort
    this.isFetching = true
    try {
      let next = before
      let pages = before === null ? 0 : this.pages
      // `more` may request another page meanwhile.
      do {
        next = await this.fetch(next, signal)
        pages += 1
      } while (next !== null && pages < this.wanted)
      this.next = next
      this.pages = pages
      this.hasAnswer = true
      this.isGivenUp = false
    } catch (error) {
      if (signal.aborted) return
      this.isGivenUp = true
      logUnlessTemporary('A search of notes got no answer.', error)
      const wait = retryDelayMsAfter(this.data.device, error)
      if (wait !== null) {
        // The next request is sent only after the pause that the server asks for, even if notes have changed.
        this.isOutdated = false
        this.later(wait, () => void this.fetchPages())
      }
    }
    this.isFetching = false
    this.notify()
    if (!this.isOutdated) return
    this.isOutdated = false
    void this.fetchPages()
  }

  private async fetch(before: string | null, signal: AbortSignal): Promise<string | null> {
    const { data, query } = this
    const question = {
      table: query.table,
      search: query.search.slice(0, maxSearchCharacters),
      where: conditionsOf(data, query),
    }
    const args = { p_brand_id: data.brandId, p_query: question, p_before: before }
    const state = data.state.get()
    const { notes, named, next } = await rpc<Answer>(data.device, data.userId, 'search_notes', args, signal)
    signal.throwIfAborted()
    for (const table of timelineTables) await storeAnsweredRows(data, table, named[table] ?? [], state)
    await storeAnsweredRows(data, 'notes', notes, state)
    signal.throwIfAborted()
    return next
  }
}
