import type { CurrencySum } from '#web/data/server/read-queries.ts'
import { reachable } from '#web/data/server/network.ts'
import type { StoredList } from '#web/data/store/local-db.ts'
import { sendQuestion } from './send-questions.ts'
import { logUnlessTemporary, ServerSource } from './server-source.ts'

/** The number of rows and the sums of a query, as the server computes them for tables that are not complete on this device. */
export class ServerFigures extends ServerSource {
  /** The server's last answer, or the answer that an earlier session stored. */
  answer: { sums: readonly CurrencySum[] } | null = null

  /** True if `answer` came from the server, and the table has not changed there since the request. */
  private isFresh = false
  /** True if the server has answered since the first subscriber came. False if `answer` was only stored by an earlier session. */
  private isAnswered = false
  private isUnderway = false
  private hasFailed = false
  /** True if the table changed on the server while a request was running. */
  private isOutdated = false

  /**
   * True while no answer is known, neither from the server nor from an earlier session, and an answer can be expected: the server is reachable, and
   * no request has failed since the server last became reachable.
   */
  get isAsking(): boolean {
    return this.answer === null && !this.hasFailed && reachable(this.data.device).get()
  }

  protected override stop(): void {
    super.stop()
    this.isFresh = false
    this.isAnswered = false
  }

  protected refresh(): void {
    this.isFresh = false
    this.isOutdated = this.isUnderway
    this.fetchMissing()
  }

  protected forget(): void {
    this.answer = null
    this.hasFailed = false
    this.isAnswered = false
    this.isFresh = false
    this.isOutdated = this.isUnderway
  }

  protected onReachable(): void {
    // The last request may have failed only because the server was unreachable.
    this.hasFailed = false
    this.fetchMissing()
  }

  protected fetchMissing(): void {
    if (this.isFresh || this.isUnderway || !reachable(this.data.device).get() || this.isAnsweredHere) return
    this.isUnderway = true
    void this.fetch().finally(() => {
      this.isUnderway = false
      if (!this.isOutdated || !this.isSubscribed) return
      this.isOutdated = false
      this.fetchMissing()
    })
  }

  private async fetch(): Promise<void> {
    const { data, query } = this
    const { signal } = this.abort
    await data.stateKnown
    if (signal.aborted || this.isAnsweredHere) return
    const request = this.beginRequest()
    try {
      const { table, where, search, figuresApart } = query
      const question = { table, ...(where && { where }), ...(search && { search }), rows: false }
      const wantedFigures = table === 'deals' ? { sums: true } : { count: true }
      const answer = await sendQuestion(data, { ...question, ...wantedFigures }, signal, figuresApart)
      if (this.isAnswered && this.discard(request)) return
      this.isAnswered = true
      this.hasFailed = false
      this.isFresh = !this.isOutdated
      this.answer = { sums: answer.sums ?? [{ currency: '', count: answer.total ?? 0, amount: 0 }] }
      this.endRequest(request, true)
      this.notify()
      await this.store({ ids: [], total: 0, sums: this.answer.sums })
    } catch (error) {
      this.endRequest(request, false)
      if (signal.aborted) return
      this.hasFailed = true
      this.notify()
      logUnlessTemporary('Figures could not be fetched.', error)
    }
  }

  protected applyStored({ sums }: StoredList): void {
    if (!sums || this.answer) return
    this.answer = { sums }
    this.notify()
  }

  protected override storedKey(): string {
    return `figures ${super.storedKey()}`
  }
}
