import type { CurrencySum } from '#web/data/server/read-queries.ts'
import { reachable } from '#web/data/server/network.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import type { StoredList } from '#web/data/store/local-db.ts'
import { askQuery } from './ask-queries.ts'
import { logFault, ServerSource } from './server-source.ts'

/** Count and sums of a query as the server has them, for tables that are not complete on this device. */
export class ServerFigures extends ServerSource {
  /** The last answer, or that of an earlier session. */
  answer: { sums: readonly CurrencySum[] } | null = null
  /** Rows that were changed here since that answer was asked for, as the server had them then; undefined: it had none. */
  readonly changedHere = new Map<string, AnyRow | undefined>()

  private isFresh = false
  private isUnderway = false
  private hasFailed = false
  /** The table changed on the server while a question was on its way. */
  private isOutdated = false

  /** The first answer is still to come. */
  get isAsking(): boolean {
    return this.answer === null && !this.hasFailed && reachable(this.data.device).get()
  }

  protected override stop(): void {
    super.stop()
    this.isFresh = false
  }

  protected refresh(): void {
    this.isFresh = false
    this.isOutdated = this.isUnderway
    this.ask()
  }

  protected onReachable(): void {
    this.ask()
  }

  protected ask(): void {
    if (this.isFresh || this.isUnderway || !reachable(this.data.device).get() || this.isAnsweredHere) return
    this.isUnderway = true
    this.hasFailed = false
    void this.fetch().finally(() => {
      this.isUnderway = false
      if (!this.isOutdated || !this.isFollowed) return
      this.isOutdated = false
      this.ask()
    })
  }

  private async fetch(): Promise<void> {
    const { data, query } = this
    const { signal } = this.abort
    await data.stateKnown
    if (signal.aborted || this.isAnsweredHere) return
    const waiting = new Set(data.tables[query.table].waitingIds())
    try {
      const { table, where, search, figuresApart } = query
      const question = { table, ...(where && { where }), ...(search && { search }), rows: false }
      const figures = table === 'deals' ? { sums: true } : { count: true }
      const answer = await askQuery(data, { ...question, ...figures }, signal, figuresApart)
      this.isFresh = !this.isOutdated
      this.answer = { sums: answer.sums ?? [{ currency: '', count: answer.total ?? 0, amount: 0 }] }
      for (const id of this.changedHere.keys()) if (!waiting.has(id)) this.changedHere.delete(id)
      this.tell()
      await this.keep({ ids: [], total: 0, sums: this.answer.sums })
    } catch (error) {
      if (signal.aborted) return
      this.hasFailed = true
      this.tell()
      logFault('A figure did not come.', error)
    }
  }

  protected takeKept({ sums }: StoredList): void {
    if (!sums || this.answer) return
    this.answer = { sums }
    this.tell()
  }

  protected override keptKey(): string {
    return `figures ${super.keptKey()}`
  }

  protected noteChangedHere(): void {
    const rows = this.data.tables[this.query.table]
    for (const id of rows.waitingIds()) if (!this.changedHere.has(id)) this.changedHere.set(id, rows.onServer(id))
  }
}
