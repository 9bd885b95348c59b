import { type BuiltStatement, buildCall, buildWrite, buildRead, writesOneRow } from './build-sql.ts'
import type { WritePlan } from './plan.ts'
import { patternOperators } from './operators.ts'
import { argumentsOf, planCall } from './plan-call.ts'
import { planWrite } from './plan-write.ts'
import { planRead } from './plan-read.ts'
import { refusal } from '#server/http/errors.ts'
import type { RestRequest } from './parse-request.ts'
import type { Condition, Query, Value } from './request.ts'
import type { ResponseFormat } from './respond.ts'
import type { Schema } from './schema.ts'
import { unknownRelation } from './unknown-name.ts'
import { isSingleRow } from './result-size.ts'

/** The part of a request that does not depend on its values: the statement, and the format of the response. */
export interface CompiledRequest {
  built: BuiltStatement
  format: ResponseFormat
  /** Whether the request calls a function by GET or HEAD, which must not write. False for a GET of a table, which cannot write. */
  isReadOnlyCall: boolean
  /**
   * Whether the commit waits until the whole result has been received, because the statement may write and its result may be
   * refused as too large. True only for a write with `return=representation`, and for a function called by POST that may write
   * and returns something; never if `writesSingleRow` is true.
   */
  commitsAfterResult: boolean
  /** Whether the statement writes and returns a single row. Its result is never refused, because the write may be committed already. */
  writesSingleRow: boolean
  /** Whether a filter of the request contains a regular expression. */
  hasPattern: boolean
}

const writeByMethod: Partial<Record<RestRequest['method'], WritePlan['kind']>> = {
  POST: 'insert',
  PATCH: 'update',
  DELETE: 'delete',
}

/**
 * Checks a request against the schema, plans it and builds its SQL. The result is valid for all requests that differ only in values.
 * Throws the refusals of docs/supabase-protocol.md, section 3.
 */
export function compile(request: RestRequest, schema: Schema, maxRows: number): CompiledRequest {
  const { method, accept, preferences } = request
  const isHead = method === 'HEAD'
  if (request.target.kind === 'function') return compileCall(request, schema, maxRows)

  const relation = schema.relations.get(request.target.name)
  if (!relation) throw unknownRelation(schema, request.target.name)
  const query = request.query()
  const [bareArgument] = query.args
  if (bareArgument) throw invalidFilter(bareArgument.name)
  const hasPattern = usesPattern(query)
  const options = { schema, query, maxRows }
  const format: ResponseFormat = { kind: 'read', accept, preferences, isHead, isVoid: false }
  const writeKind = writeByMethod[method]
  if (writeKind) {
    const plan = planWrite(writeKind, options, relation, request.body, preferences)
    const built = buildWrite(plan, accept)
    const writesSingleRow = plan.returning !== null && isSingleRow(plan.returning, writesOneRow(plan) ? 1 : null)
    const commitsAfterResult = plan.returning !== null && !writesSingleRow
    const flags = { isReadOnlyCall: false, commitsAfterResult, writesSingleRow }
    return { built, format: { ...format, kind: writeKind }, ...flags, hasPattern }
  }
  const read = planRead(options, relation, rootWindow(request))
  const built = buildRead(read, accept, preferences.count, !isHead)
  return { built, format, isReadOnlyCall: false, commitsAfterResult: false, writesSingleRow: false, hasPattern }
}

function compileCall(request: RestRequest, schema: Schema, maxRows: number): CompiledRequest {
  const { method, accept, preferences } = request
  const isHead = method === 'HEAD'
  const isReadOnlyCall = isHead || method === 'GET'
  const overloads = schema.functions.get(request.target.name) ?? []
  const isArgument = (name: string) => overloads.some((routine) => routine.args.some((arg) => arg.name === name))
  const query = request.query(isReadOnlyCall ? isArgument : undefined)
  if (preferences.maxAffected !== null)
    throw refusal('PGRST128', { details: 'max-affected is not served on functions' })
  if (!isReadOnlyCall && query.args[0]) throw invalidFilter(query.args[0].name)
  const givenArguments: ReadonlyMap<string, Value | null> = isReadOnlyCall
    ? argumentsOf(query)
    : new Map(request.body.keys.map((key) => [key, null]))
  const plan = planCall({ schema, query, maxRows }, request.target.name, givenArguments, {
    ...rootWindow(request),
    isReadOnlyCall,
  })
  const isVoid = plan.routine.returns.kind === 'void'
  const format: ResponseFormat = { kind: 'call', accept, preferences, isHead, isVoid }
  const built = buildCall(plan, accept, preferences.count, !isHead)
  const commitsAfterResult = !isReadOnlyCall && plan.routine.mayWrite && !isVoid
  return { built, format, isReadOnlyCall, commitsAfterResult, writesSingleRow: false, hasPattern: usesPattern(query) }
}

function usesPattern({ levels }: Query): boolean {
  return Array.from(levels.values()).some(({ conditions }) => conditions.some(hasRegularExpression))
}

function hasRegularExpression(condition: Condition): boolean {
  if (condition.kind !== 'filter') return condition.terms.some(hasRegularExpression)
  return condition.test.kind === 'compare' && patternOperators.has(condition.test.operator)
}

function rootWindow(request: RestRequest): { limit: number | null; offset: boolean } {
  return { limit: request.window.limit, offset: request.window.offset > 0 }
}

function invalidFilter(name: string): Error {
  return refusal('PGRST100', {
    message: `"failed to parse filter (${name.slice(0, 100)})" (line 1, column 1)`,
    details: 'expecting "not" or an operator (eq, gt, …)',
  })
}
