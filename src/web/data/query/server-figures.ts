import { reachable } from '#web/data/server/network.ts'
import type { CurrencySum } from '#web/data/server/read-queries.ts'
import { RpcError } from '#web/data/server/rpc.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { localDatabase } from '#web/data/store/local-db.ts'
import { queue } from '#web/data/store/queue.ts'
import { askQuery } from './ask-queries.ts'
import { isAnsweredHere, tablesOf } from './is-answered-here.ts'
import { type Query, queryKey } from './query.ts'
import type { Source } from './view.ts'

/** Count and sums of a query as the server has them, for tables that are not complete on this device. */
export class ServerFigures implements Source {
  /** The last answer, or that of an earlier session. */
  answer: { sums: readonly CurrencySum[] } | null = null
  /** Rows that were changed here since that answer was asked for, as the server had them then; undefined: it had none. */
  readonly changedHere = new Map<string, AnyRow | undefined>()

  private readonly listeners = new Set<(urgent: boolean) => void>()
  private stops: (() => void)[] = []
  private abort = new AbortController()
  private changes = 0
  private isFresh = false
  private isUnderway = false
  /** The table changed on the server while a question was on its way. */
  private isOutdated = false

  constructor(
    private readonly data: BrandData,
    private readonly query: Query,
    /** Nobody looks at these figures any more. */
    private readonly onStop: () => void,
  ) {}

  revision = (): number => this.changes

  /** Asks the server, and follows the table as long as somebody listens. */
  subscribe = (listener: (urgent: boolean) => void): (() => void) => {
    this.listeners.add(listener)
    if (this.listeners.size === 1) this.start()
    return () => {
      this.listeners.delete(listener)
      // A component that is drawn anew listens again at once.
      this.data.device.clock.setTimeout(() => this.listeners.size === 0 && this.stop(), 0)
    }
  }

  private start(): void {
    if (this.stops.length > 0) return
    const { data, query } = this
    this.noteChangedHere()
    const refresh = () => {
      this.isFresh = false
      this.isOutdated = this.isUnderway
      this.ask()
    }
    this.stops = [
      queue(data.device).subscribe(() => this.noteChangedHere()),
      reachable(data.device).subscribe(() => reachable(data.device).get() && this.ask()),
      data.onInvalidate((table) => tablesOf(data, query).includes(table) && !isAnsweredHere(data, query) && refresh()),
      data.state.subscribe(() => this.ask()),
    ]
    void this.recall()
    this.ask()
  }

  private stop(): void {
    this.abort.abort()
    this.abort = new AbortController()
    for (const stop of this.stops.splice(0)) stop()
    this.isFresh = false
    this.onStop()
  }

  private ask(): void {
    const { data, query } = this
    if (this.isFresh || this.isUnderway || !reachable(data.device).get() || isAnsweredHere(data, query)) return
    this.isUnderway = true
    void this.fetch().finally(() => {
      this.isUnderway = false
      if (!this.isOutdated || this.stops.length === 0) return
      this.isOutdated = false
      this.ask()
    })
  }

  private async fetch(): Promise<void> {
    const { data, query } = this
    const { signal } = this.abort
    await data.stateKnown
    if (signal.aborted || isAnsweredHere(data, query)) return
    const waiting = new Set(data.tables[query.table].waitingIds())
    try {
      const { table, where, search } = query
      const question = { table, ...(where && { where }), ...(search && { search }), rows: false }
      const isSummed = table === 'deals'
      const answer = await askQuery(data, { ...question, ...(isSummed ? { sums: true } : { count: true }) }, signal)
      this.isFresh = !this.isOutdated
      this.answer = { sums: answer.sums ?? [{ currency: '', count: answer.total ?? 0, amount: 0 }] }
      for (const id of this.changedHere.keys()) if (!waiting.has(id)) this.changedHere.delete(id)
      this.tell()
      await this.keep()
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof RpcError) || !error.isTemporary) console.error('A figure did not come.', error)
    }
  }

  /** Takes the figures of an earlier session until the server has answered. */
  private async recall(): Promise<void> {
    const { userId, brandId } = this.data
    if (!this.isKept()) return
    const kept = await localDatabase(this.data.device, userId).getList(brandId, this.key())
    if (!kept?.sums || this.answer) return
    this.answer = { sums: kept.sums }
    this.tell()
  }

  private async keep(): Promise<void> {
    const { userId, brandId } = this.data
    if (!this.isKept() || !this.answer) return
    await localDatabase(this.data.device, userId).putList({
      brand_id: brandId,
      key: this.key(),
      ids: [],
      total: 0,
      sums: this.answer.sums,
    })
  }

  private isKept(): boolean {
    return !this.query.search
  }

  private key(): string {
    return `figures ${queryKey(this.query)}`
  }

  private noteChangedHere(): void {
    const rows = this.data.tables[this.query.table]
    for (const id of rows.waitingIds()) if (!this.changedHere.has(id)) this.changedHere.set(id, rows.onServer(id))
  }

  private tell(): void {
    this.changes += 1
    for (const listener of Array.from(this.listeners)) listener(true)
  }
}
