/** A request that left the device. */
export interface SentRequest {
  /** Method and path: 'PATCH /rest/v1/deals'. */
  line: string
  /** The parameters of the URL. */
  filters: Readonly<Record<string, string>>
  /** The parsed body. Null if there is none. */
  body: unknown
  headers: Headers
  signal: AbortSignal | null
}

/** A prepared response, with status 200 by default. Null: no response arrives. */
export type PreparedResponse = { status?: number; body?: unknown; headers?: Record<string, string> } | null

/** A network whose responses a test prepares. */
export class PreparedNetwork {
  /** All requests, in the order in which they were sent. */
  readonly sent: SentRequest[] = []
  private readonly responses = new Map<string, (request: SentRequest) => PreparedResponse | Promise<PreparedResponse>>()

  /** Sets the response to requests with this line ('PATCH /rest/v1/deals'). Other requests get no response. */
  on(line: string, answer: (request: SentRequest) => PreparedResponse | Promise<PreparedResponse>): void {
    this.responses.set(line, answer)
  }

  /** Sets the responses to the next requests with this line. The last one is repeated. */
  onEach(line: string, ...answers: readonly PreparedResponse[]): void {
    const remaining = [...answers]
    this.on(line, () => (remaining.length > 1 ? remaining.shift() : remaining[0]) ?? null)
  }

  /** The lines of all sent requests. */
  get lines(): string[] {
    return this.sent.map(({ line }) => line)
  }

  /** Returns the sent requests with this line ('PATCH /rest/v1/deals'). */
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
    const prepared = await this.responses.get(request.line)?.(request)
    init.signal?.throwIfAborted()
    if (!prepared) throw new TypeError('fetch failed')
    const { status = 200, body = null, headers = {} } = prepared
    const text = status === 204 ? null : JSON.stringify(body)
    return new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } })
  }
}

/** Returns a response with an error, as the database or the server sends it. */
export function refusalResponse(
  status: number,
  code: string,
  message = 'no',
  details: string | null = null,
): PreparedResponse {
  return { status, body: { code, message, details, hint: null } }
}
