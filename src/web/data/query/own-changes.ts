import type { AnyRow } from '#web/data/server/tables.ts'

/** The rows of a table. `waitingIds`: the rows with operations that wait to be sent. */
interface Rows {
  waitingIds(): Iterable<string>
  onServer(id: string): AnyRow | undefined
}

/** A request to the server whose answer may include own changes. */
export interface AnswerRequest {
  /** The rows whose changes had been sent before the request, as the server had them then. The answer includes these changes. */
  readonly sent: ReadonlyMap<string, AnyRow | undefined>
  /** The rows whose changes were made, were on their way, or were sent after the request. It is not known whether the answer includes them. */
  readonly uncertain: Set<string>
}

/** The changes that this device has made and that the server's last answer to a query may not include. */
export class OwnChanges {
  /** The changed rows, as the server's last answer has them. Undefined for a row that the server did not have. */
  readonly before = new Map<string, AnyRow | undefined>()
  private readonly requests = new Set<AnswerRequest>()
  /** The rows whose changes have not been sent, or may have arrived at the server although its responses have not arrived here. */
  waiting: ReadonlySet<string> = new Set()

  constructor(private readonly rows: Rows) {}

  /** Records which rows this device has changed. Call it after each change of the queue. */
  follow(): void {
    const was = this.waiting
    this.waiting = new Set(this.rows.waitingIds())
    for (const id of this.waiting) if (!this.before.has(id)) this.before.set(id, this.rows.onServer(id))
    for (const { uncertain } of this.requests) for (const id of [...was, ...this.waiting]) uncertain.add(id)
  }

  /** Call it before each request, and `end` when it has ended. */
  begin(): AnswerRequest {
    const sent = new Map<string, AnyRow | undefined>()
    for (const id of this.before.keys()) if (!this.waiting.has(id)) sent.set(id, this.rows.onServer(id))
    const request = { sent, uncertain: new Set<string>() }
    this.requests.add(request)
    return request
  }

  /** Whether it is not known which changes the answer to a request includes: some were made or sent meanwhile, or may be on their way. */
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
