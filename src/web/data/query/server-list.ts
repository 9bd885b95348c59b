import type { BrandData } from '#web/data/store/brand-data.ts'
import { isComplete } from '#web/data/store/brand-state.ts'
import { localDatabase } from '#web/data/store/local-db.ts'
import { reachable, serverPause } from '#web/data/server/network.ts'
import { queue } from '#web/data/store/queue.ts'
import { RpcError } from '#web/data/server/rpc.ts'
import { storeRows } from '#web/data/store/store-rows.ts'
import type { AnyRow, TableName } from '#web/data/server/tables.ts'
import type { Source } from './view.ts'

/** Rows of one question. */
export const pageRows = 100

/** A page that did not come is not asked for again before this time is over. */
const retryAfter = 3000

/** A page as the server gave it: rows of the list, and rows of other tables that they name. */
export interface Page {
  rows: readonly AnyRow[]
  total: number
  named: readonly { table: TableName; rows: readonly AnyRow[] }[]
}

export interface ServerListOptions {
  table: TableName
  /** Name under which its ids are kept for an offline start; null: not kept (a search). */
  keptAs: string | null
  fetchPage: (offset: number, signal: AbortSignal) => Promise<Page>
}

/**
 * A list of a windowed table: ids in the server's order, fetched page by page as somebody looks at them, the rows themselves in the
 * same store as all others. Rows that we changed since are listed for the caller to put in or leave out by what they are now.
 */
export class ServerList implements Source {
  ids: (string | null)[] = []
  total = 0
  /** The server has answered (now, or in an earlier session for a kept list). */
  answered = false
  /** A first answer is on its way. */
  asking = false
  /** The last question got no answer: what is known is old, or nothing. */
  silent = false
  /** Ids with changes of ours since the last answer, whether still waiting or not. */
  readonly ours = new Set<string>()

  private readonly fresh = new Set<number>()
  private readonly underway = new Set<number>()
  /** When a page that did not come may be asked for again. */
  private readonly notBefore = new Map<number, number>()
  private readonly listeners = new Set<(urgent: boolean) => void>()
  private abort = new AbortController()
  private begun = false
  private changes = 0

  /** Asks for nothing until the first `want`. */
  constructor(
    private readonly data: BrandData,
    private readonly options: ServerListOptions,
  ) {}

  revision = (): number => this.changes

  subscribe = (listener: (urgent: boolean) => void): (() => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
      // Nobody looks any more (another search): what is on its way is given up.
      setTimeout(() => this.listeners.size === 0 && this.stop(), 0)
    }
  }

  /** Says that this place is looked at: its page is fetched unless it is here and fresh. */
  want(index: number): void {
    const page = Math.floor(Math.max(0, index) / pageRows)
    this.begin()
    if (this.fresh.has(page) || this.underway.has(page)) return
    if (Date.now() < (this.notBefore.get(page) ?? 0)) return
    this.underway.add(page)
    void this.fetch(page)
  }

  /** What is here may be old now (the table changed): pages are fetched again as they are looked at. */
  refresh(): void {
    this.fresh.clear()
    this.tell()
  }

  private askAgain(): void {
    this.notBefore.clear()
    this.refresh()
  }

  private stop(): void {
    this.abort.abort()
    this.abort = new AbortController()
    this.underway.clear()
  }

  private begin(): void {
    if (this.begun) return
    this.begun = true
    this.asking = true
    this.noteOurs()
    this.data.onClose(queue.subscribe(() => this.noteOurs()))
    this.data.onClose(reachable.subscribe(() => reachable.get() && this.silent && this.askAgain()))
    this.data.onClose(this.data.hearStirs((table) => table === this.options.table && this.refresh()))
    void this.recall()
  }

  /** Takes the ids of the last time, if the list is kept, until the server has answered. */
  private async recall(): Promise<void> {
    const { keptAs } = this.options
    if (!keptAs) return
    const kept = await localDatabase(this.data.userId).lists.get([this.data.brandId, keptAs])
    if (!kept || this.answered) return
    this.ids = [...kept.ids]
    this.total = kept.total
    this.answered = true
    this.tell()
  }

  private async fetch(page: number): Promise<void> {
    const oursBefore = new Set(this.ours)
    const { signal } = this.abort
    // Just opened, a brand looks empty: what this device has of it may be the whole table.
    await this.data.stateKnown
    if (signal.aborted) return
    if (isComplete(this.data.state.get(), this.options.table)) {
      this.underway.delete(page)
      return
    }
    try {
      const { rows, total, named } = await this.options.fetchPage(page * pageRows, signal)
      for (const other of named) await this.store(other.table, other.rows)
      await this.store(this.options.table, rows)
      if (page === 0) this.total = total
      // No holes: a place that nobody looked at yet is null.
      while (this.ids.length < page * pageRows) this.ids.push(null)
      rows.forEach((row, index) => {
        this.ids[page * pageRows + index] = row.id
      })
      if (page === 0 && total < this.ids.length) this.ids.length = total
      this.fresh.add(page)
      this.silent = false
      for (const id of oursBefore) if (!this.data.tables[this.options.table].isWaiting(id)) this.ours.delete(id)
      if (page === 0) await this.keep()
    } catch (error) {
      if (signal.aborted) return
      const wait = Math.max(retryAfter, serverPause())
      this.notBefore.set(page, Date.now() + wait)
      this.silent = true
      // After silence `reachable` says when to ask again; after a pause that the server asked for nothing else does.
      if (serverPause() > 0) setTimeout(() => this.listeners.size > 0 && this.askAgain(), wait)
      if (!(error instanceof RpcError) || !error.isPassing) console.error('A page of the list did not come.', error)
    }
    this.underway.delete(page)
    this.asking = false
    this.answered = true
    this.tell()
  }

  private store(table: TableName, rows: readonly AnyRow[]): Promise<void> {
    const { userId, brandId, gone } = this.data
    return storeRows({ userId, brandId, table, rows: rows.filter((row) => !gone.has(row.id)) })
  }

  private async keep(): Promise<void> {
    const { keptAs } = this.options
    if (!keptAs) return
    const { userId, brandId } = this.data
    const ids = Array.from(this.ids.slice(0, pageRows * 5), (id) => id ?? null)
    await localDatabase(userId).lists.put({ brand_id: brandId, key: keptAs, ids, total: this.total })
  }

  private noteOurs(): void {
    for (const id of this.data.tables[this.options.table].waitingIds()) this.ours.add(id)
  }

  private tell(): void {
    this.changes += 1
    for (const listener of Array.from(this.listeners)) listener(true)
  }
}
