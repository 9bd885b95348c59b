import type { Logger } from 'pino'
import type { Caller } from '#server/http/caller.ts'
import { HttpError, refusal } from '#server/http/errors.ts'
import { ByteBudget, type HeldBytes } from '#server/http/byte-budget.ts'
import type { Metrics } from '#server/http/metrics.ts'
import type { Handler, HttpRequest } from '#server/http/exchange.ts'
import { networkOf } from '#server/http/network.ts'
import { reportRefusal } from '#server/db/product-hooks.ts'
import { AnswerRefused } from '#server/db/answer-limits.ts'
import { type CallerContext, type Rows, type Statement, TooManyWaiting, Unavailable } from '#server/db/as-caller.ts'
import { isConnectionLoss } from '#server/db/connection-loss.ts'
import type { Database } from '#server/db/database.ts'
import { bindValues } from './bind-values.ts'
import { type Compiled, compile } from './compile.ts'
import { isDatabaseError, refusalOf } from './database-errors.ts'
import { parseRequest, restPrefix, type RestRequest } from './parse-request.ts'
import { PlanCache } from './plan-cache.ts'
import { type Answer, respond } from './respond.ts'
import type { Schema } from './schema.ts'
import { createSchemaCache } from './schema-cache.ts'
import { isUnknownName } from './unknown-name.ts'

export interface RestOptions {
  database: Pick<Database, 'requests' | 'owner' | 'generation'>
  readCaller: (request: HttpRequest) => Promise<Caller>
  /** Rows that one answer may hold at most. */
  maxRows: number
  /** Whether the product's SQL is told of refusals, and may say that somebody asks too often. */
  limitsRefusals: boolean
  log: Pick<Logger, 'error'>
  addGauge: Metrics['add']
}

const exposedSchema = 'public'
const maxCachedPlans = 1000
/** A larger plan is made anew each time: a thousand of them would fill the memory. Characters of its request and its SQL. */
const maxPlanLength = 16_384
/** Answers on their way from the database to their callers. One user may have one of the largest and half of another. */
const answerShares = { total: 128 * 1024 * 1024, each: 48 * 1024 * 1024, small: 256 * 1024 }
/** Longest time a statement may run; beyond it the answer is 504. */
const statementTimeoutMs = 8000
/** A regular expression can be made as slow as one likes; an honest one is quick. */
const patternTimeoutMs = 2000
const setReadOnly: Statement = { text: "select set_config('transaction_read_only', 'on', true)", values: [] }

/**
 * Answers what comes under `/rest/v1/` as PostgREST does (wire facts, sections 1 and 3): caller, parse, plan, SQL, one
 * batch as that caller, answer. Throws HttpError for every refusal; the database decides who may do what.
 */
export function createRest(options: RestOptions): Handler {
  const { database, readCaller, maxRows, limitsRefusals, log } = options
  const schemas = createSchemaCache(database, exposedSchema)
  const plans = new PlanCache<Compiled>(maxCachedPlans)
  const answers = new ByteBudget(answerShares)
  options.addGauge({
    name: 'banyan_answers_on_their_way_bytes',
    help: 'Bytes of large answers between the database and their callers.',
    read: () => answers.bytes,
  })
  let planned: Schema | null = null

  function compileOnce(request: RestRequest, schema: Schema): Compiled {
    if (planned !== schema) plans.clear()
    planned = schema
    const known = plans.get(request.key)
    if (known) return known
    const compiled = compile(request, schema, maxRows)
    if (request.key.length + compiled.built.text.length <= maxPlanLength) plans.set(request.key, compiled)
    return compiled
  }

  async function compileOrReload(request: RestRequest): Promise<Compiled> {
    const current = schemas.current()
    const schema = current instanceof Promise ? await current : current
    try {
      return compileOnce(request, schema)
    } catch (error) {
      const reloading = isUnknownName(error) ? schemas.refreshed() : null
      if (reloading === null) throw error
      return compileOnce(request, await reloading)
    }
  }

  return async (httpRequest) => {
    const caller = await readCaller(httpRequest)
    const request = parseRequest(httpRequest, exposedSchema, maxRows)
    const compiled = await compileOrReload(request).catch(ofOwner)
    const statement = { text: compiled.built.text, values: bindValues(compiled.built.values, request.slots) }
    const statements = compiled.readOnly ? [setReadOnly, statement] : [statement]
    const user = userOf(httpRequest, caller)
    let held: HeldBytes | null = null
    const takeBytes = (bytes: number) => {
      held ??= answers.hold(user)
      return held.take(bytes)
    }
    try {
      const timeoutMs = compiled.hasPattern ? patternTimeoutMs : statementTimeoutMs
      const path = pathOf(request)
      const context = { ...contextOf(httpRequest, caller), user, path, timeoutMs, largeAsBytes: true, takeBytes }
      const results = await database.requests.run(context, statements, httpRequest.signal)
      const response = respond(compiled.asked, answerOf(results.at(-1)), request.window)
      if (held) response.onSent = () => held?.release()
      return response
    } catch (error) {
      ;(held as HeldBytes | null)?.release()
      throw await translated(error, caller)
    }
  }

  async function translated(error: unknown, caller: Caller): Promise<unknown> {
    if (error instanceof AnswerRefused) return error.reason === 'busy' ? tooManyAnswers() : refusal('answer_too_large')
    if (error instanceof TooManyWaiting) {
      const message = `${error.message}. Send fewer at once, and try again in ${error.retryAfter} seconds.`
      return new HttpError(429, 'PT429', message, { headers: { 'Retry-After': String(error.retryAfter) } })
    }
    if (error instanceof Unavailable) return unavailable(error.retryAfter)
    if (!isDatabaseError(error)) return error
    const refused = refusalOf(error, caller.role === 'anon')
    if (refused.status >= 500) log.error({ code: error.code, err: error }, 'database refused a REST request')
    const { sub } = caller
    if (limitsRefusals && refused.code === raisedSqlstate && sub !== null && (await isTooOften(sub, refused)))
      throw tooOften()
    return refused
  }

  async function isTooOften(user: string, refused: HttpError): Promise<boolean> {
    try {
      return await reportRefusal(database.owner, user, refused.message)
    } catch (error) {
      return ofOwner(error)
    }
  }
}

/** SQLSTATE of what a function raises. */
const raisedSqlstate = 'P0001'

function tooOften() {
  return new HttpError(429, 'PT429', 'Too many refused requests. Try again in a minute.', {
    headers: { 'Retry-After': '60' },
  })
}

function unavailable(retryAfter: number) {
  return refusal('unavailable', { headers: { 'Retry-After': String(retryAfter) } })
}

/** What the owner's connections throw where the database is away or too many wait for it: the request may come again. */
function ofOwner(error: unknown): never {
  if (error instanceof Unavailable) throw unavailable(error.retryAfter)
  throw isConnectionLoss(error) ? unavailable(1) : error
}

function tooManyAnswers() {
  const message = 'Too many large answers are on their way. Ask for smaller pages, or try again in a moment'
  return refusal('unavailable', { message, headers: { 'Retry-After': '1' } })
}

/** Whose share a request takes. */
function userOf({ ip }: HttpRequest, { sub, role }: Caller): string {
  return sub ?? (role === 'anon' ? from(ip) : role)
}

function from(ip: string): string {
  return `from ${networkOf(ip)}`
}

/** The same however it was spelled: percent-encoding makes many spellings of one path. */
function pathOf({ target }: RestRequest): string {
  return `${restPrefix}${target.kind === 'function' ? 'rpc/' : ''}${target.name}`
}

type Asker = Pick<CallerContext, 'groups' | 'serial' | 'role' | 'claims' | 'headers' | 'method'>

function contextOf(request: HttpRequest, caller: Caller): Asker {
  const key = request.headers['idempotency-key']
  return {
    groups: caller.role === 'service_role' ? [] : [from(request.ip)],
    ...(key === undefined ? {} : { serial: `${userOf(request, caller)} ${String(key)}` }),
    role: caller.role,
    claims: caller.claims,
    headers: key === undefined ? '{}' : JSON.stringify({ 'idempotency-key': String(key) }),
    method: request.method,
  }
}

/** A write that returns nothing answers no row: the number of rows stands in its command tag. */
function answerOf(result: Rows | undefined): Answer {
  const [row] = result?.rows ?? []
  if (!row) return { body: null, page: result?.rowCount ?? 0, total: null, inserted: null }
  return {
    body: result?.large?.body ?? row.body ?? null,
    page: Number(row.page ?? 0),
    total: row.total == null ? null : Number(row.total),
    inserted: row.inserted == null ? null : Number(row.inserted),
  }
}
