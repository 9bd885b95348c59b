/**
 * Recorded requests of a client, and the shapes of their responses, so that the requests can be sent again to another server. Values that a
 * server created (ids, tokens, cursors) are `{{n}}` in a request: `replay` reads the n-th value of `made` from the new response that contains it.
 * The publishable key is `{{key}}`.
 */
export interface Exchanges {
  requests: RecordedRequest[]
  /** For each value of the server: where responses contain it, as [index of the request, path of keys]. `replay` uses the first that exists. */
  made: [request: number, path: string][][]
  /** Common shape of the responses to each kind of request, by `METHOD path status`. */
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

/**
 * The shape of one or more JSON values: their types; for lists the shape of all elements; for objects the shape of each field, and the names of the
 * fields that some objects lack.
 */
export interface Shape {
  types: string[]
  elements?: Shape
  fields?: Record<string, Shape>
  optional?: string[]
}

interface SentRequest extends RecordedRequest {
  answer: unknown
  /** Positions of the request and of its response in the order of all requests and responses. */
  sentAt: number
  answeredAt: number
}

const keptHeaders = ['accept', 'accept-profile', 'apikey', 'authorization', 'content-profile', 'content-type']
const moreKeptHeaders = ['idempotency-key', 'prefer', 'range', 'x-as-user', 'x-supabase-api-version']
const allKeptHeaders = [...keptHeaders, ...moreKeptHeaders]

/** Creates a `fetch` that records each request and its response, in the order of sending. */
export function exchangeRecorder(fetch: typeof globalThis.fetch, server: { url: string; publishableKey: string }) {
  const sentRequests: SentRequest[] = []
  let position = 0
  const recordingFetch: typeof globalThis.fetch = async (input, init = {}) => {
    const request = new Request(input, init)
    const url = request.url.slice(server.url.length)
    const headers = Object.fromEntries([...request.headers].filter(([name]) => allKeptHeaders.includes(name)))
    const body = (await request.text()) || null
    const { method } = request
    const exchange: SentRequest = {
      method,
      url,
      headers,
      body,
      status: 0,
      answer: null,
      sentAt: ++position,
      answeredAt: 0,
    }
    sentRequests.push(exchange)
    const response = await fetch(input, init)
    exchange.status = response.status
    exchange.answer = parseJson(await response.clone().text())
    exchange.answeredAt = ++position
    return response
  }
  return { recordingFetch, recorded: () => exchangesOf(sentRequests, server.publishableKey) }
}

function exchangesOf(sentRequests: readonly SentRequest[], publishableKey: string): Exchanges {
  const placesOf = placesInResponses(sentRequests)
  const clientValues = new Set<string>()
  const serverValues: string[] = []
  const requests = sentRequests.map(({ method, url, headers, body, status, sentAt }): RecordedRequest => {
    const text = JSON.stringify({ method, url, headers, body, status }).replaceAll(publishableKey, '{{key}}')
    const withPlaceholders = text.replaceAll(valuePattern, (value) => {
      // If no earlier response contains the value, the client created it.
      if (!placesOf.get(value)?.some(({ answeredAt }) => answeredAt < sentAt)) clientValues.add(value)
      if (clientValues.has(value)) return value
      if (!serverValues.includes(value)) serverValues.push(value)
      return `{{${serverValues.indexOf(value)}}}`
    })
    return JSON.parse(withPlaceholders) as RecordedRequest
  })
  const made = serverValues.map((value) => (placesOf.get(value) ?? []).map(({ place }) => place).slice(0, 5))
  return { requests, made, answers: shapesOf(sentRequests) }
}

interface PlaceInAnswer {
  place: [request: number, path: string]
  answeredAt: number
}

/** Returns for each value of the server the places in responses that contain it, in the order in which the responses arrived. */
function placesInResponses(sentRequests: readonly SentRequest[]): Map<string, PlaceInAnswer[]> {
  const places = new Map<string, PlaceInAnswer[]>()
  for (const [index, { answer, answeredAt }] of sentRequests.entries()) {
    for (const [path, leaf] of leavesOf(answer)) {
      if (typeof leaf !== 'string' || !isServerValue(leaf)) continue
      places.set(leaf, [...(places.get(leaf) ?? []), { place: [index, path], answeredAt }])
    }
  }
  for (const list of places.values()) list.sort((a, b) => a.answeredAt - b.answeredAt)
  return places
}

/** Returns the exchanges as JSON, with one line for each request, value and kind of response. */
export function textOf({ requests, made, answers }: Exchanges): string {
  const lines = (values: readonly unknown[]) => values.map((value) => `    ${JSON.stringify(value)}`).join(',\n')
  const kinds = Object.entries(answers).map(([kind, shape]) => `    ${JSON.stringify(kind)}: ${JSON.stringify(shape)}`)
  return `{
  "requests": [\n${lines(requests)}\n  ],
  "made": [\n${lines(made)}\n  ],
  "answers": {\n${kinds.join(',\n')}\n  }
}\n`
}

/** Matches ids, tokens and cursors. */
const valuePattern = /[\w-]{8,}(?:[.:~][\w-]*)*/g

function isServerValue(value: string): boolean {
  return value.replace(valuePattern, '') === '' && /\d/.test(value)
}

/**
 * Sends the requests again, one after the other, to another server. Returns the statuses and the shapes of the new responses. Throws if no new
 * response contains a value that a request needs.
 */
export async function replay(
  { requests, made }: Exchanges,
  server: { url: string; publishableKey: string },
): Promise<{ statuses: number[]; answers: Record<string, Shape> }> {
  const sentRequests: Pick<SentRequest, 'method' | 'url' | 'status' | 'answer'>[] = []
  const valueOf = (index: number): string => {
    for (const [request, path] of made[index] ?? []) {
      const foundValue = leavesOf(sentRequests[request]?.answer).get(path)
      if (typeof foundValue === 'string') return foundValue
    }
    throw new Error(`No response contains value ${index}, which a later request uses: ${JSON.stringify(made[index])}`)
  }
  for (const recorded of requests) {
    const text = JSON.stringify(recorded)
      .replaceAll('{{key}}', server.publishableKey)
      .replaceAll(/\{\{(\d+)\}\}/g, (_, index: string) => valueOf(Number(index)))
    const { method, url, headers, body } = JSON.parse(text) as RecordedRequest
    const response = await fetch(server.url + url, { method, headers, body })
    sentRequests.push({ method, url, status: response.status, answer: parseJson(await response.text()) })
  }
  return { statuses: sentRequests.map(({ status }) => status), answers: shapesOf(sentRequests) }
}

/**
 * Returns a sentence for each difference between the recorded shape and the current one that could break a client of the recorded release. `where`:
 * the name of the value in the sentences.
 */
export function findDifferences(recorded: Shape, current: Shape | undefined, where: string): string[] {
  if (!current) return [`${where} is not there.`]
  const newTypes = current.types.filter((type) => type !== 'null' && !recorded.types.includes(type))
  // If all recorded values are null, their type is unknown.
  const isKnown = recorded.types.some((type) => type !== 'null')
  const faults =
    isKnown && newTypes.length > 0 ? [`${where} is ${newTypes.join(' or ')}, was ${recorded.types.join(' or ')}.`] : []
  if (isKnown && !recorded.types.includes('null') && current.types.includes('null'))
    faults.push(`${where} can be null.`)
  if (recorded.elements && current.elements)
    faults.push(...findDifferences(recorded.elements, current.elements, `${where}[]`))
  for (const [name, shape] of Object.entries(recorded.fields ?? {})) {
    if (!current.fields) break
    faults.push(...findDifferences(shape, current.fields[name], `${where}.${name}`))
    const wasAlwaysThere = !recorded.optional?.includes(name)
    if (wasAlwaysThere && current.optional?.includes(name)) faults.push(`${where}.${name} is not always there.`)
  }
  return faults
}

function shapesOf(
  sentRequests: readonly Pick<SentRequest, 'method' | 'url' | 'status' | 'answer'>[],
): Record<string, Shape> {
  const shapes: Record<string, Shape> = {}
  for (const { method, url, status, answer } of sentRequests) {
    const kind = `${method} ${url.replace(/\?.*/, '')} ${status}`
    shapes[kind] = mergeShapes(shapes[kind], shapeOf(answer))
  }
  return shapes
}

/** Returns the shape of a JSON value. */
export function shapeOf(value: unknown): Shape {
  if (Array.isArray(value)) {
    const elements = value.map(shapeOf).reduce<Shape | undefined>(mergeShapes, undefined)
    return { types: ['array'], ...(elements && { elements }) }
  }
  if (value === null || typeof value !== 'object') return { types: [value === null ? 'null' : typeof value] }
  return {
    types: ['object'],
    fields: Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shapeOf(field)])),
  }
}

function mergeShapes(one: Shape | undefined, other: Shape): Shape {
  if (!one) return other
  const types = [...new Set([...one.types, ...other.types])].toSorted()
  const elements =
    one.elements && other.elements ? mergeShapes(one.elements, other.elements) : (one.elements ?? other.elements)
  const [oneFields = {}, otherFields = {}] = [one.fields, other.fields]
  const names = [...new Set([...Object.keys(oneFields), ...Object.keys(otherFields)])].toSorted()
  const isOptional = (name: string) =>
    one.optional?.includes(name) ||
    other.optional?.includes(name) ||
    (one.fields && !(name in oneFields)) ||
    (other.fields && !(name in otherFields))
  const optional = names.filter(isOptional)
  const fields = names.map((name): [string, Shape] => {
    const [oneShape, otherShape] = [oneFields[name], otherFields[name]]
    return [
      name,
      oneShape && otherShape ? mergeShapes(oneShape, otherShape) : (oneShape ?? otherShape ?? { types: [] }),
    ]
  })
  return {
    types,
    ...(elements && { elements }),
    ...((one.fields ?? other.fields) && { fields: Object.fromEntries(fields) }),
    ...(optional.length > 0 && { optional }),
  }
}

/**
 * Returns the values of a response that are neither lists nor objects, by path. The path of a list element that has a `name` contains this name
 * instead of the index.
 */
function leavesOf(value: unknown, path = ''): Map<string, unknown> {
  if (value === null || typeof value !== 'object') return new Map([[path, value]])
  return new Map(
    Object.entries(value).flatMap(([key, field]) => {
      const name = Array.isArray(value) ? (field as { name?: unknown } | null)?.name : undefined
      return [...leavesOf(field, `${path}/${typeof name === 'string' ? name : key}`)]
    }),
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text === '' ? null : text
  }
}
