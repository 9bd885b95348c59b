import type { Logger } from 'pino'
import type { Caller } from '#server/http/caller.ts'
import { HttpError, refusal } from '#server/http/errors.ts'
import { ByteBudget, type HeldBytes } from '#server/http/byte-budget.ts'
import type { Metrics } from '#server/http/metrics.ts'
import type { Handler, HttpRequest } from '#server/http/exchange.ts'
import { networkOf } from '#server/http/network.ts'
import { reportRefusal } from '#server/db/product-hooks.ts'
import { ResultRefusedError } from '#server/db/result-limits.ts'
import { type CallerContext, type Statement, TooManyWaitingError, UnavailableError } from '#server/db/as-caller.ts'
import { isConnectionLoss } from '#server/db/connection-loss.ts'
import type { Database } from '#server/db/database.ts'
import { bindValues } from './bind-values.ts'
import { type CompiledRequest, compile } from './compile.ts'
import { isDatabaseError, refusalOf } from './database-errors.ts'
import { parseRequest, restPrefix, type RestRequest } from './parse-request.ts'
import { PlanCache } from './plan-cache.ts'
import { respond, resultOf } from './respond.ts'
import type { Schema } from './schema.ts'
import { createSchemaCache } from './schema-cache.ts'
import { isUnknownName } from './unknown-name.ts'

export interface RestOptions {
  database: Pick<Database, 'requests' | 'owner' | 'generation'>
  readCaller: (request: HttpRequest) => Promise<Caller>
  /** Maximum number of rows in a response. */
  maxRows: number
  /** Whether refusals are reported to the product's SQL, which may limit the user whose requests are refused. */
  limitsRefusals: boolean
  log: Pick<Logger, 'error'>
  addGauge: Metrics['add']
}

const exposedSchema = 'public'
const maxCachedPlans = 1000
/** Maximum length of a cached plan (characters of the request's key and of the SQL). Longer plans would fill the memory. */
const maxPlanLength = 16_384
/** Limits on the bytes of responses in memory (`ByteLimits`). `bytesPerKey` is enough for one and a half responses of the maximum size. */
const responseMemory = { totalBytes: 128 * 1024 * 1024, bytesPerKey: 48 * 1024 * 1024, smallRequestBytes: 256 * 1024 }
/** Timeout of a statement. A statement that takes longer is stopped, and the response is 504. */
const statementTimeoutMs = 8000
/**
 * Timeout of a statement with a regular expression. It is shorter than `statementTimeoutMs`, because a client can send a
 * regular expression that takes arbitrarily long.
 */
const patternTimeoutMs = 2000
const readOnlyStatement: Statement = { text: "select set_config('transaction_read_only', 'on', true)", values: [] }

/**
 * Creates the handler of requests under `/rest/v1/`, which responds as PostgREST does (docs/supabase-protocol.md, sections 1
 * and 3). It reads the caller, parses and plans the request, builds its SQL, runs it as this caller, and converts the result.
 * Throws HttpError for every refusal. The database decides what the caller may do.
 */
export function createRest(options: RestOptions): Handler {
  const { database, readCaller, maxRows, limitsRefusals, log } = options
  const schemas = createSchemaCache(database, exposedSchema)
  const plans = new PlanCache<CompiledRequest>(maxCachedPlans)
  const heldResponses = new ByteBudget(responseMemory)
  options.addGauge({
    name: 'banyan_answers_on_their_way_bytes',
    help: 'Bytes of large responses that the database has sent and the clients have not read yet.',
    read: () => heldResponses.bytes,
  })
  let schemaOfPlans: Schema | null = null

  function compileCached(request: RestRequest, schema: Schema): CompiledRequest {
    if (schemaOfPlans !== schema) plans.clear()
    schemaOfPlans = schema
    const cached = plans.get(request.key)
    if (cached) return cached
    const compiled = compile(request, schema, maxRows)
    if (request.key.length + compiled.built.text.length <= maxPlanLength) plans.set(request.key, compiled)
    return compiled
  }

  /** Compiles the request. If a name is unknown, reloads the schema and tries again, unless the schema was loaded less than 3 s ago. */
  async function compileOrReload(request: RestRequest): Promise<CompiledRequest> {
    const current = schemas.current()
    const schema = current instanceof Promise ? await current : current
    try {
      return compileCached(request, schema)
    } catch (error) {
      const reloading = isUnknownName(error) ? schemas.reload() : null
      if (reloading === null) throw error
      return compileCached(request, await reloading)
    }
  }

  return async (httpRequest) => {
    const caller = await readCaller(httpRequest)
    const user = userOf(httpRequest, caller)
    const earlyRefusal = database.requests.earlyRefusal(user)
    if (earlyRefusal) throw unavailable(earlyRefusal.retryAfter)
    const request = parseRequest(httpRequest, exposedSchema, maxRows)
    const compiled = await compileOrReload(request).catch(throwUnavailable)
    const statement = { text: compiled.built.text, values: bindValues(compiled.built.values, request.slots) }
    const statements = compiled.isReadOnlyCall ? [readOnlyStatement, statement] : [statement]
    let held: HeldBytes | null = null
    if (compiled.writesSingleRow && heldResponses.isFull(user)) throw tooManyResponsesInMemory()
    const takeBytes = (bytes: number) =>
      (held ??= heldResponses.hold(user)).take(bytes, { mayExceed: compiled.writesSingleRow })
    try {
      const timeoutMs = compiled.hasPattern ? patternTimeoutMs : statementTimeoutMs
      const path = pathOf(request)
      const limits = { timeoutMs, largeAsBytes: true, takeBytes, commitsAfterResult: compiled.commitsAfterResult }
      const context = { ...contextOf(httpRequest, caller), user, path, ...limits }
      const results = await database.requests.run(context, statements, httpRequest.signal)
      const response = respond(compiled.format, resultOf(results.at(-1)), request.window)
      if (held) response.onSent = () => held?.release()
      return response
    } catch (error) {
      ;(held as HeldBytes | null)?.release()
      throw await toRefusal(error, caller)
    }
  }

  /** Returns the refusal that the client gets for an error. Returns other errors unchanged. Throws 429 if the user is refused too often. */
  async function toRefusal(error: unknown, caller: Caller): Promise<unknown> {
    if (error instanceof ResultRefusedError)
      return error.reason === 'busy' ? tooManyResponsesInMemory() : refusal('answer_too_large')
    if (error instanceof TooManyWaitingError) {
      const message = `${error.message}. Send fewer at once, and try again in ${error.retryAfter} seconds.`
      return new HttpError(429, 'PT429', message, { headers: { 'Retry-After': String(error.retryAfter) } })
    }
    if (error instanceof UnavailableError) return unavailable(error.retryAfter)
    if (!isDatabaseError(error)) return error
    const httpRefusal = refusalOf(error, caller.role === 'anon')
    if (httpRefusal.status >= 500)
      log.error({ code: error.code, err: error }, 'the database could not answer a REST request')
    const { sub } = caller
    if (limitsRefusals && httpRefusal.code === raisedSqlstate && sub !== null && (await isTooOften(sub, httpRefusal)))
      throw tooManyRefusals()
    return httpRefusal
  }

  async function isTooOften(user: string, httpRefusal: HttpError): Promise<boolean> {
    try {
      return await reportRefusal(database.owner, user, httpRefusal.message)
    } catch (error) {
      return throwUnavailable(error)
    }
  }
}

/** The SQLSTATE of a `raise exception` that sets no SQLSTATE itself. Only refusals with this code are counted. */
const raisedSqlstate = 'P0001'

function tooManyRefusals() {
  return new HttpError(429, 'PT429', 'Too many refused requests. Try again in a minute.', {
    headers: { 'Retry-After': '60' },
  })
}

function unavailable(retryAfter: number) {
  return refusal('unavailable', { headers: { 'Retry-After': String(retryAfter) } })
}

/**
 * Throws 503 if the error means that the database is unreachable or that too many requests wait for it. Throws any other
 * error unchanged.
 */
function throwUnavailable(error: unknown): never {
  if (error instanceof UnavailableError) throw unavailable(error.retryAfter)
  throw isConnectionLoss(error) ? unavailable(1) : error
}

function tooManyResponsesInMemory() {
  const message = 'Too many large responses are being sent. Request smaller pages, or try again in a moment'
  return refusal('unavailable', { message, headers: { 'Retry-After': '1' } })
}

/**
 * Returns the name under which the caller gets a fair share of connections and memory. All anonymous callers of one network
 * share one name.
 */
function userOf({ ip }: HttpRequest, { sub, role }: Caller): string {
  return sub ?? (role === 'anon' ? groupOf(ip) : role)
}

const groupOf = (ip: string) => `from ${networkOf(ip)}`

/** Returns the path of the request's target, built from the decoded name: percent-encoding allows many spellings of one path. */
function pathOf({ target }: RestRequest): string {
  return `${restPrefix}${target.kind === 'function' ? 'rpc/' : ''}${target.name}`
}

type CallerFields = Pick<CallerContext, 'groups' | 'serialKey' | 'role' | 'claims' | 'headers' | 'method'>

function contextOf(request: HttpRequest, caller: Caller): CallerFields {
  // An empty header counts as no key, as in SQL (`private.request_key`).
  const key = request.headers['idempotency-key'] || undefined
  return {
    groups: caller.role === 'service_role' ? [] : [groupOf(request.ip)],
    ...(key === undefined ? {} : { serialKey: `${userOf(request, caller)} ${String(key)}` }),
    role: caller.role,
    claims: caller.claims,
    headers: key === undefined ? '{}' : JSON.stringify({ 'idempotency-key': String(key) }),
    method: request.method,
  }
}
