import type { AnyRow } from '#web/data/server/tables.ts'

/** The rows of a table. `waitingIds` returns the ids of the rows with operations that wait to be sent. */
interface Rows {
  waitingIds(): Iterable<string>
  serverRow(id: string): AnyRow | undefined
}

/** A request to the server whose answer may include own changes. */
export interface AnswerRequest {
  /** The changed rows whose changes had been sent before the request, as the server rows were at that time. The answer includes these changes. */
  readonly sent: ReadonlyMap<string, AnyRow | undefined>
  /**
   * The ids of the rows with changes that were made or sent after the request, or that were on their way. It is not known whether the answer
   * includes these changes.
   */
  readonly uncertain: Set<string>
}

/** The changes that this device has made and that the server's last answer to a query may not include. */
export class OwnChanges {
  /** The changed rows, as the server's last answer has them. Undefined for a row that the server did not have. */
  readonly before = new Map<string, AnyRow | undefined>()
  private readonly requests = new Set<AnswerRequest>()
  /** The ids of the rows with changes that wait to be sent, or whose response has not arrived. The server may already have applied them. */
  waiting: ReadonlySet<string> = new Set()

  constructor(private readonly rows: Rows) {}

  /** Records which rows this device has changed. Call it after each change of the queue. */
  follow(): void {
    const waitingBefore = this.waiting
    this.waiting = new Set(this.rows.waitingIds())
    for (const id of this.waiting) if (!this.before.has(id)) this.before.set(id, this.rows.serverRow(id))
    for (const { uncertain } of this.requests) for (const id of [...waitingBefore, ...this.waiting]) uncertain.add(id)
  }

  /** Records which changes the answer to a request will include. Call it before each request, and `end` when the request has ended. */
  begin(): AnswerRequest {
    const sent = new Map<string, AnyRow | undefined>()
    for (const id of this.before.keys()) if (!this.waiting.has(id)) sent.set(id, this.rows.serverRow(id))
    const request = { sent, uncertain: new Set<string>() }
    this.requests.add(request)
    return request
  }

  /**
   * Whether the answer to a request is uncertain: it may include or miss changes that were made or sent while the request was running, or whose
   * responses have not arrived.
   */
  isUncertain({ uncertain }: AnswerRequest): boolean {
    return uncertain.size + this.waiting.size > 0
  }

  /** Call it when a request has ended. `isApplied`: its answer is now the last one. */
  end(request: AnswerRequest, isApplied: boolean): void {
    this.requests.delete(request)
    if (!isApplied) return
    for (const [id, row] of request.sent) {
      if (request.uncertain.has(id)) this.before.set(id, row)
      else this.before.delete(id)
    }
  }
}
