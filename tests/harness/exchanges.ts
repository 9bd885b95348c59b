/**
 * Requests that a client sent and what was answered, kept so that they can be sent again to another server. What a server made (ids,
 * tokens, cursors) stands in a request as `{{n}}`: the n-th of `made`, taken anew from the answer that had it.
 */
export interface Exchanges {
  requests: RecordedRequest[]
  /** Where a value of a server came first: places in answers, each [index of the request, path of keys]. The first that exists counts. */
  made: [request: number, path: string][][]
  /** What the answers of each kind of request have in common, by `METHOD path status`. */
  answers: Record<string, Shape>
}

interface RecordedRequest {
  method: string
  /** Path and query. */
  url: string
  headers: Record<string, string>
  body: string | null
  status: number
}

/** The shape of a JSON value: its types; the shape of its elements; its fields, `optional` those that some such values lack. */
export interface Shape {
  types: string[]
  elements?: Shape
  fields?: Record<string, Shape>
  optional?: string[]
}

interface SendResult extends RecordedRequest {
  answer: unknown
  /** When it was sent, and answered: a place in the order of all requests and answers. */
  sentAt: number
  answeredAt: number
}

const keptHeaders = ['accept', 'accept-profile', 'apikey', 'authorization', 'content-profile', 'content-type']
const keptToo = ['idempotency-key', 'prefer', 'range', 'x-as-user', 'x-supabase-api-version']
const headersKept = [...keptHeaders, ...keptToo]

/** A fetch that keeps each exchange with the server, in the order of sending. */
export function exchangeRecorder(fetch: typeof globalThis.fetch, server: { url: string; publishableKey: string }) {
  const sent: SendResult[] = []
  let moment = 0
  const recordingFetch: typeof globalThis.fetch = async (input, init = {}) => {
    const request = new Request(input, init)
    const url = request.url.slice(server.url.length)
    const headers = Object.fromEntries([...request.headers].filter(([name]) => headersKept.includes(name)))
    const body = (await request.text()) || null
    const { method } = request
    const exchange: SendResult = {
      method,
      url,
      headers,
      body,
      status: 0,
      answer: null,
      sentAt: ++moment,
      answeredAt: 0,
    }
    sent.push(exchange)
    const response = await fetch(input, init)
    exchange.status = response.status
    exchange.answer = asJson(await response.clone().text())
    exchange.answeredAt = ++moment
    return response
  }
  return { recordingFetch, recorded: () => exchangesOf(sent, server.publishableKey) }
}

function exchangesOf(sent: readonly SendResult[], publishableKey: string): Exchanges {
  const placesOf = placesInAnswers(sent)
  const fromClient = new Set<string>()
  const used: string[] = []
  const requests = sent.map(({ method, url, headers, body, status, sentAt }): RecordedRequest => {
    const text = JSON.stringify({ method, url, headers, body, status }).replaceAll(publishableKey, '{{key}}')
    const withPlaces = text.replaceAll(valuePattern, (value) => {
      // Where no answer had it yet, the client has made it.
      if (!placesOf.get(value)?.some(({ answeredAt }) => answeredAt < sentAt)) fromClient.add(value)
      if (fromClient.has(value)) return value
      if (!used.includes(value)) used.push(value)
      return `{{${used.indexOf(value)}}}`
    })
    return JSON.parse(withPlaces) as RecordedRequest
  })
  const made = used.map((value) => (placesOf.get(value) ?? []).map(({ place }) => place).slice(0, 5))
  return { requests, made, answers: shapesOf(sent) }
}

interface PlaceInAnswer {
  place: [request: number, path: string]
  answeredAt: number
}

/** Where values stand in answers, first to last. */
function placesInAnswers(sent: readonly SendResult[]): Map<string, PlaceInAnswer[]> {
  const places = new Map<string, PlaceInAnswer[]>()
  for (const [index, { answer, answeredAt }] of sent.entries()) {
    for (const [path, leaf] of leavesOf(answer)) {
      if (typeof leaf !== 'string' || !isMade(leaf)) continue
      places.set(leaf, [...(places.get(leaf) ?? []), { place: [index, path], answeredAt }])
    }
  }
  for (const list of places.values()) list.sort((a, b) => a.answeredAt - b.answeredAt)
  return places
}

/** As it is kept in a file: a line for each request, value and kind of answer. */
export function textOf({ requests, made, answers }: Exchanges): string {
  const lines = (values: readonly unknown[]) => values.map((value) => `    ${JSON.stringify(value)}`).join(',\n')
  const kinds = Object.entries(answers).map(([kind, shape]) => `    ${JSON.stringify(kind)}: ${JSON.stringify(shape)}`)
  return `{
  "requests": [\n${lines(requests)}\n  ],
  "made": [\n${lines(made)}\n  ],
  "answers": {\n${kinds.join(',\n')}\n  }
}\n`
}

/** Ids, tokens and cursors. */
const valuePattern = /[\w-]{8,}(?:[.:~][\w-]*)*/g

function isMade(value: string): boolean {
  return value.replace(valuePattern, '') === '' && /\d/.test(value)
}

/** Sends the requests again, one after the other, to another server; what it answered. */
export async function replayed(
  { requests, made }: Exchanges,
  server: { url: string; publishableKey: string },
): Promise<{ statuses: number[]; answers: Record<string, Shape> }> {
  const sent: Pick<SendResult, 'method' | 'url' | 'status' | 'answer'>[] = []
  const valueOf = (index: number): string => {
    for (const [request, path] of made[index] ?? []) {
      const found = leavesOf(sent[request]?.answer).get(path)
      if (typeof found === 'string') return found
    }
    throw new Error(`No answer had value ${index}, which a later request names: ${JSON.stringify(made[index])}`)
  }
  for (const recorded of requests) {
    const text = JSON.stringify(recorded)
      .replaceAll('{{key}}', server.publishableKey)
      .replaceAll(/\{\{(\d+)\}\}/g, (_, index: string) => valueOf(Number(index)))
    const { method, url, headers, body } = JSON.parse(text) as RecordedRequest
    const response = await fetch(server.url + url, { method, headers, body })
    sent.push({ method, url, status: response.status, answer: asJson(await response.text()) })
  }
  return { statuses: sent.map(({ status }) => status), answers: shapesOf(sent) }
}

/** What answers of this shape lack that a client of the recorded ones may read, as sentences. */
export function lacks(recorded: Shape, present: Shape | undefined, where: string): string[] {
  if (!present) return [`${where} is not there.`]
  const other = present.types.filter((type) => type !== 'null' && !recorded.types.includes(type))
  // Where nothing but null was seen before, nothing is known of its type.
  const isKnown = recorded.types.some((type) => type !== 'null')
  const faults =
    isKnown && other.length > 0 ? [`${where} is ${other.join(' or ')}, was ${recorded.types.join(' or ')}.`] : []
  if (isKnown && !recorded.types.includes('null') && present.types.includes('null'))
    faults.push(`${where} can be null.`)
  if (recorded.elements && present.elements) faults.push(...lacks(recorded.elements, present.elements, `${where}[]`))
  for (const [name, shape] of Object.entries(recorded.fields ?? {})) {
    if (!present.fields) break
    faults.push(...lacks(shape, present.fields[name], `${where}.${name}`))
    const wasAlways = !recorded.optional?.includes(name)
    if (wasAlways && present.optional?.includes(name)) faults.push(`${where}.${name} is not always there.`)
  }
  return faults
}

function shapesOf(sent: readonly Pick<SendResult, 'method' | 'url' | 'status' | 'answer'>[]): Record<string, Shape> {
  const shapes: Record<string, Shape> = {}
  for (const { method, url, status, answer } of sent) {
    const kind = `${method} ${url.replace(/\?.*/, '')} ${status}`
    shapes[kind] = merged(shapes[kind], shapeOf(answer))
  }
  return shapes
}

/** The shape of a JSON value. */
export function shapeOf(value: unknown): Shape {
  if (Array.isArray(value)) {
    const elements = value.map(shapeOf).reduce<Shape | undefined>(merged, undefined)
    return { types: ['array'], ...(elements && { elements }) }
  }
  if (value === null || typeof value !== 'object') return { types: [value === null ? 'null' : typeof value] }
  return {
    types: ['object'],
    fields: Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shapeOf(field)])),
  }
}

function merged(one: Shape | undefined, other: Shape): Shape {
  if (!one) return other
  const types = [...new Set([...one.types, ...other.types])].toSorted()
  const elements =
    one.elements && other.elements ? merged(one.elements, other.elements) : (one.elements ?? other.elements)
  const [some = {}, others = {}] = [one.fields, other.fields]
  const names = [...new Set([...Object.keys(some), ...Object.keys(others)])].toSorted()
  const isOptional = (name: string) =>
    one.optional?.includes(name) ||
    other.optional?.includes(name) ||
    (one.fields && !(name in some)) ||
    (other.fields && !(name in others))
  const optional = names.filter(isOptional)
  const fields = names.map((name): [string, Shape] => {
    const [mine, theirs] = [some[name], others[name]]
    return [name, mine && theirs ? merged(mine, theirs) : (mine ?? theirs ?? { types: [] })]
  })
  return {
    types,
    ...(elements && { elements }),
    ...((one.fields ?? other.fields) && { fields: Object.fromEntries(fields) }),
    ...(optional.length > 0 && { optional }),
  }
}

/** Each value in an answer that is neither list nor object, by its path. Elements that have a name are found by it, in whatever order. */
function leavesOf(value: unknown, path = ''): Map<string, unknown> {
  if (value === null || typeof value !== 'object') return new Map([[path, value]])
  return new Map(
    Object.entries(value).flatMap(([key, field]) => {
      const name = Array.isArray(value) ? (field as { name?: unknown } | null)?.name : undefined
      return [...leavesOf(field, `${path}/${typeof name === 'string' ? name : key}`)]
    }),
  )
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text === '' ? null : text
  }
}
