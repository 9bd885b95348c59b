/** A request that left the device. */
export interface SentRequest {
  /** 'PATCH /rest/v1/deals' */
  line: string
  /** The parameters of the address. */
  filters: Readonly<Record<string, string>>
  /** The parsed body; null without one. */
  body: unknown
  headers: Headers
  signal: AbortSignal | null
}

/** What the server answers: status 200 by default; null: no answer comes. */
export type Prepared = { status?: number; body?: unknown; headers?: Record<string, string> } | null

/** A network of which a test says what the server answers to each request. */
export class PreparedNetwork {
  /** All requests, in the order in which they left. */
  readonly sent: SentRequest[] = []
  private readonly answers = new Map<string, (request: SentRequest) => Prepared | Promise<Prepared>>()

  /** From now on requests of this line ('PATCH /rest/v1/deals') are answered so. Others get no answer. */
  on(line: string, answer: (request: SentRequest) => Prepared | Promise<Prepared>): void {
    this.answers.set(line, answer)
  }

  /** Requests of this line are answered with these in turn, the last one from then on. */
  onEach(line: string, ...answers: readonly Prepared[]): void {
    const left = [...answers]
    this.on(line, () => (left.length > 1 ? left.shift() : left[0]) ?? null)
  }

  /** The lines of all requests. */
  get lines(): string[] {
    return this.sent.map(({ line }) => line)
  }

  /** The requests of a line. */
  of(line: string): SentRequest[] {
    return this.sent.filter((request) => request.line === line)
  }

  readonly fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : String(input))
    const request: SentRequest = {
      line: `${init.method ?? 'GET'} ${url.pathname}`,
      filters: Object.fromEntries(url.searchParams),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : null,
      headers: new Headers(init.headers),
      signal: init.signal ?? null,
    }
    this.sent.push(request)
    const prepared = await this.answers.get(request.line)?.(request)
    init.signal?.throwIfAborted()
    if (!prepared) throw new TypeError('fetch failed')
    const { status = 200, body = null, headers = {} } = prepared
    const text = status === 204 ? null : JSON.stringify(body)
    return new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } })
  }
}

/** The answer of an error of the database or of the server. */
export function refusal(status: number, code: string, message = 'no', details: string | null = null): Prepared {
  return { status, body: { code, message, details, hint: null } }
}
