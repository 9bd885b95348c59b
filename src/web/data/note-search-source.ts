import { searchCharacters } from './note-words.ts'
import { linkedTables, type TimelineTable } from './notes.ts'
import { showAnswered } from '#web/data/query/ask-queries.ts'
import { FollowedSource } from '#web/data/query/followed-source.ts'
import type { Where } from '#web/data/query/list-options.ts'
import { logFault } from '#web/data/query/server-source.ts'
import type { Timer } from '#web/data/browser/surroundings.ts'
import { busyPause } from '#web/data/server/busy-pause.ts'
import { reachable } from '#web/data/server/network.ts'
import { rpc } from '#web/data/server/rpc.ts'
import type { Note } from '#web/data/server/rows.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'

/** A text is looked for when nobody has typed for so long (ms). */
const restMs = 150
/** After this time what this device has is all that is shown for now (ms). */
const lateMs = 1500

/** What is searched for in the notes of the records of a list. */
export interface NoteQuery {
  table: TimelineTable
  search: string
  /** Only records of the person signed in. */
  mine?: boolean
  /** The conditions of the list. */
  where?: Where | undefined
}

/** The conditions that the records meet. */
export function conditionsOf(data: BrandData, { mine, where }: NoteQuery): Where {
  return { ...(mine && { owner_id: data.userId }), ...where }
}

interface Answer {
  notes: Note[]
  named: Partial<Record<TimelineTable, AnyRow[]>>
  next: string | null
}

/** Asks the server for the notes that a search finds, page by page; they are in the collections then. */
export class NoteSearchSource extends FollowedSource {
  /** Where the page after the last one begins: notes behind it are not known; null: all are here. */
  next: string | null = null
  hasAnswer = false
  /** Nothing comes for now: the server was not reached, or takes long. */
  isGivenUp = false

  private readonly timers = new Set<Timer>()
  /** Pages that are here, and those that are wanted. */
  private pages = 0
  private wanted = 1
  private isAsking = false
  /** Asks when `restMs` are over. */
  private isAskingSoon = false
  /** The notes changed while a question was on its way. */
  private isOutdated = false

  constructor(
    data: BrandData,
    private readonly query: NoteQuery,
    onStop: () => void,
  ) {
    super(data, onStop)
  }

  /** Fetches the next page, now or after the pages that are on their way. */
  more = (): void => {
    if (this.next === null) return
    this.wanted = this.pages + 1
    if (!this.isAsking) void this.ask(this.next)
  }

  protected override start(): void {
    const { data, query } = this
    const isReachable = reachable(data.device)
    this.stops = [
      isReachable.subscribe(() => isReachable.get() && this.isGivenUp && void this.ask()),
      data.onInvalidate((table) => (table === 'notes' || table === query.table) && this.askSoon()),
    ]
    if (isReachable.get()) {
      this.askSoon()
      this.later(lateMs, () => this.giveUp())
    } else this.giveUp()
  }

  protected override stop(): void {
    this.isAsking = false
    this.isAskingSoon = false
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

  /** Once for all that changes meanwhile: a pull brings the rows of several tables. */
  private askSoon(): void {
    if (this.isAskingSoon) return
    this.isAskingSoon = true
    this.later(restMs, () => {
      this.isAskingSoon = false
      void this.ask()
    })
  }

  private giveUp(): void {
    if (this.hasAnswer) return
    this.isGivenUp = true
    this.tell()
  }

  /** The page after the last one, or all wanted pages anew: a page at a time, so that no answer is large. */
  private async ask(before: string | null = null): Promise<void> {
    if (this.isAsking) {
      this.isOutdated = true
      return
    }
    const { signal } = this.abort
    this.isAsking = true
    try {
      let next = before
      let pages = before === null ? 0 : this.pages
      // Another page may become wanted meanwhile.
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
      logFault('A search of notes got no answer.', error)
      const wait = busyPause(this.data.device, error)
      if (wait !== null) {
        // Not before the pause that the server asks for.
        this.isOutdated = false
        this.later(wait, () => void this.ask())
      }
    }
    this.isAsking = false
    this.tell()
    if (!this.isOutdated) return
    this.isOutdated = false
    void this.ask()
  }

  private async fetch(before: string | null, signal: AbortSignal): Promise<string | null> {
    const { data, query } = this
    const asked = {
      table: query.table,
      search: query.search.slice(0, searchCharacters),
      where: conditionsOf(data, query),
    }
    const args = { p_brand_id: data.brandId, p_query: asked, p_before: before }
    const { notes, named, next } = await rpc<Answer>(data.device, data.userId, 'search_notes', args, signal)
    signal.throwIfAborted()
    for (const table of linkedTables) await showAnswered(data, table, named[table] ?? [])
    await showAnswered(data, 'notes', notes)
    signal.throwIfAborted()
    return next
  }
}
