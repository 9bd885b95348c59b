import { storeTimeline, maxStoredEntries, readStoredTimeline } from './stored-timeline.ts'
import { isNoteInTimeline, type TimelineTable } from './notes.ts'
import { type KnownEntry, noteIdOf, readTimeline, type TimelinePage } from './timeline-answer.ts'
import { SubscribedSource } from '#web/data/query/subscribed-source.ts'
import { logUnlessTemporary } from '#web/data/query/server-source.ts'
import { retryDelayMsAfter } from '#web/data/server/retry-delay.ts'
import { reachable } from '#web/data/server/network.ts'
import { rpc } from '#web/data/server/rpc.ts'
import type { Note } from '#web/data/server/rows.ts'
import type { Timer } from '#web/data/browser/surroundings.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { storeRows } from '#web/data/store/store-rows.ts'

const entriesPerPage = 30
/** Changes within this time cause one request. */
const gatherMs = 40

/** The tables whose rows a timeline shows. */
const watchedTables = ['notes', 'deals', 'contacts', 'companies', 'tasks'] as const

/** The server's timeline of a record. The timeline is fetched while there is a subscriber, and again when a row that it may show has changed. */
export class TimelineSource extends SubscribedSource {
  entries: readonly KnownEntry[] = []
  names: Readonly<Record<string, string>> = {}
  /** Where the next page begins. Null after the last page, or if nothing is known. */
  next: string | null = null
  /** True if the server has answered, in this session or in an earlier one (stored entries). */
  hasAnswer = false
  /** True if the last request got no answer or was refused. */
  hasFailed = false

  private timer: Timer | undefined
  /** The page that is being fetched. */
  private underway: 'first' | 'next' | null = null
  private isStale = false
  /** True if `more` was called while a page was being fetched. */
  private isMoreWanted = false

  constructor(
    data: BrandData,
    private readonly table: TimelineTable,
    private readonly id: string,
    onStop: () => void,
  ) {
    super(data, onStop)
  }

  /** Entries that are older than this time (Unix time, ms) are not known yet. -Infinity if all are known, or none. */
  get knownSince(): number {
    const last = this.entries.at(-1)
    return this.next !== null && last ? Date.parse(last.at) : Number.NEGATIVE_INFINITY
  }

  /** Fetches the next page. */
  more = (): void => {
    if (this.next === null) return
    if (this.underway === null) void this.fetch('next')
    else this.isMoreWanted = true
  }

  protected override start(): void {
    const { data } = this
    this.stops = [
      reachable(data.device).subscribe(() => reachable(data.device).get() && this.hasFailed && this.refresh()),
      data.onInvalidate((table) => {
        // For complete tables, the collection reports which rows have changed.
        if (table === 'notes' || data.state.get().tables[table]?.mode === 'windowed') this.refresh()
      }),
      ...watchedTables.map((table) =>
        data.tables[table].onServerRows((changes) => {
          if (changes.some(({ before, after }) => this.concerns(before) || this.concerns(after))) this.refresh()
        }),
      ),
    ]
    const { signal } = this.abort
    void this.readStored().then(() => (signal.aborted ? undefined : this.fetch('first')))
  }

  protected override stop(): void {
    this.data.device.clock.clearTimeout(this.timer)
    this.timer = undefined
    this.underway = null
    super.stop()
  }

  /** Whether a row is the record, or refers to it. */
  private concerns(row: object | undefined): boolean {
    return row !== undefined && Object.values(row).includes(this.id)
  }

  private refresh(afterMs = gatherMs): void {
    this.isStale = true
    this.timer ??= this.data.device.clock.setTimeout(() => {
      this.timer = undefined
      if (this.underway === null) void this.fetch('first')
    }, afterMs)
  }

  private async fetch(which: 'first' | 'next'): Promise<void> {
    const { data, abort } = this
    const { signal } = abort
    if (which === 'first') this.isStale = false
    this.underway = which
    const notesBefore = this.localNotes()
    const limit =
      which === 'first' ? Math.min(maxStoredEntries, Math.max(entriesPerPage, this.entries.length)) : entriesPerPage
    try {
      const args = { p_before: which === 'first' ? null : this.next, p_limit: limit }
      const about = { p_brand_id: data.brandId, p_table: this.table, p_id: this.id }
      const page = readTimeline(await rpc<unknown>(data.device, data.userId, 'timeline', { ...about, ...args }, signal))
      if (signal.aborted) return
      if (which === 'first') this.applyFirstPage(page)
      else this.applyNextPage(page)
      await this.storeNotes(page, notesBefore)
      this.hasFailed = false
      this.hasAnswer = true
    } catch (error) {
      if (signal.aborted) return
      this.hasFailed = true
      logUnlessTemporary('A timeline could not be fetched.', error)
      if (which === 'next') this.isMoreWanted = true
      const wait = retryDelayMsAfter(data.device, error)
      if (wait !== null) this.refresh(wait)
    }
    this.underway = null
    this.notify()
    if (this.isMoreWanted && !this.hasFailed) {
      this.isMoreWanted = false
      this.more()
    }
    if (this.isStale && !this.hasFailed) this.refresh()
    // The page is stored at the end, so that nothing else waits for the disk.
    if (which === 'first' && !this.hasFailed) await storeTimeline(this.data, this.table, this.id, this)
  }

  /**
   * Replaces the known entries from the newest to the last one of this page. Older entries stay, unless no entry of the page was known: then entries
   * between the page and the older ones are missing.
   */
  private applyFirstPage({ entries, names, next }: TimelinePage): void {
    const last = entries.at(-1)
    const received = new Set(entries.map(({ key }) => key))
    const known = new Set(this.entries.map(({ at, key }) => `${at} ${key}`))
    const isOlder = ({ at, key }: KnownEntry) =>
      last !== undefined && next !== null && Date.parse(at) <= Date.parse(last.at) && !received.has(key)
    const older = entries.some(({ at, key }) => known.has(`${at} ${key}`)) ? this.entries.filter(isOlder) : []
    this.entries = [...entries, ...older]
    this.names = { ...this.names, ...names }
    if (older.length === 0) this.next = next
  }

  private applyNextPage({ entries, names, next }: TimelinePage): void {
    const known = new Set(this.entries.map(({ key }) => key))
    this.entries = [...this.entries, ...entries.filter(({ key }) => !known.has(key))]
    this.names = { ...this.names, ...names }
    this.next = next
  }

  /** Returns the notes of the record that are on this device and have no waiting operations. */
  private localNotes(): Note[] {
    const { notes } = this.data.tables
    return [...notes.values()].filter(
      (note) => !notes.isWaiting(note.id) && isNoteInTimeline(this.data, this.table, this.id, note),
    )
  }

  /**
   * Stores the notes of a page. Notes that were on this device before the request, and that the page should contain but does not, were
   * deleted.
   */
  private async storeNotes(page: TimelinePage, notesBefore: readonly Note[]): Promise<void> {
    const { userId, brandId, device, tables } = this.data
    const listedIds = new Set([...this.entries.map(noteIdOf), ...page.notes.map(({ id }) => id)])
    const deleted = notesBefore
      .filter((note) => Date.parse(note.occurred_at) > this.knownSince && !listedIds.has(note.id))
      .filter((note) => tables.notes.get(note.id) === note)
    const versions = new Map(deleted.map(({ id, version }) => [id, version]))
    const update = { userId, brandId, table: 'notes', rows: page.notes, deleted: versions } as const
    await storeRows(device, update, { mayResolveWhenShown: true })
  }

  private async readStored(): Promise<void> {
    const stored = await readStoredTimeline(this.data, this.table, this.id)
    if (!stored || this.hasAnswer) return
    this.entries = stored.entries
    this.names = stored.names
    this.next = stored.next
    this.hasAnswer = true
    this.notify()
  }
}
