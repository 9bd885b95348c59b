import { type BuiltStatement, buildCall, buildMutation, buildRead, writesOneRow } from './build-sql.ts'
import type { MutationPlan } from './plan.ts'
import { patternOperators } from './operators.ts'
import { argumentsOf, planCall } from './plan-call.ts'
import { planMutation } from './plan-mutation.ts'
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
  /** Whether the statement must not write. True for a function that is called by GET or HEAD. */
  readOnly: boolean
  /**
   * Whether the commit waits until the whole result has been received, because the statement may write and its result may be
   * refused as too large. False for reads, for functions that are called by GET or HEAD, that are declared stable or
   * immutable, or that return void, for writes without `return=representation`, and if `writesSingleRow` is true.
   */
  commitsAfterResult: boolean
  /** Whether the statement writes and returns a single row. Its result is never refused, because the write may be committed already. */
  writesSingleRow: boolean
  /** Whether a filter of the request contains a regular expression. */
  hasPattern: boolean
}

const mutationByMethod: Partial<Record<RestRequest['method'], MutationPlan['kind']>> = {
  POST: 'insert',
  PATCH: 'update',
  DELETE: 'delete',
}

/**
 * Checks a request against the schema, plans it and builds its SQL. The result is valid for all requests of the same shape.
 * Throws the refusals of docs/supabase-protocol.md, section 3.
 */
export function compile(request: RestRequest, schema: Schema, maxRows: number): CompiledRequest {
  const { method, accept, preferences } = request
  const headOnly = method === 'HEAD'
  if (request.target.kind === 'function') return compileCall(request, schema, maxRows)

  const relation = schema.relations.get(request.target.name)
  if (!relation) throw unknownRelation(schema, request.target.name)
  const query = request.query()
  const [bareArgument] = query.args
  if (bareArgument) throw invalidFilter(bareArgument.name)
  const hasPattern = usesPattern(query)
  const options = { schema, query, maxRows }
  const format: ResponseFormat = { kind: 'read', accept, preferences, headOnly, isVoid: false }
  const mutationKind = mutationByMethod[method]
  if (mutationKind) {
    const plan = planMutation(mutationKind, options, relation, request.body, preferences)
    const built = buildMutation(plan, accept)
    const writesSingleRow = plan.returning !== null && isSingleRow(plan.returning, writesOneRow(plan) ? 1 : null)
    const commitsAfterResult = plan.returning !== null && !writesSingleRow
    const flags = { readOnly: false, commitsAfterResult, writesSingleRow }
    return { built, format: { ...format, kind: mutationKind }, ...flags, hasPattern }
  }
  const read = planRead(options, relation, rootWindow(request))
  const built = buildRead(read, accept, preferences.count, !headOnly)
  return { built, format, readOnly: false, commitsAfterResult: false, writesSingleRow: false, hasPattern }
}

function compileCall(request: RestRequest, schema: Schema, maxRows: number): CompiledRequest {
  const { method, accept, preferences } = request
  const headOnly = method === 'HEAD'
  const readOnly = headOnly || method === 'GET'
  const overloads = schema.functions.get(request.target.name) ?? []
  const isArgument = (name: string) => overloads.some((routine) => routine.args.some((arg) => arg.name === name))
  const query = request.query(readOnly ? isArgument : undefined)
  if (preferences.maxAffected !== null)
    throw refusal('PGRST128', { details: 'max-affected is not served on functions' })
  if (!readOnly && query.args[0]) throw invalidFilter(query.args[0].name)
  const givenArguments: ReadonlyMap<string, Value | null> = readOnly
    ? argumentsOf(query)
    : new Map(request.body.keys.map((key) => [key, null]))
  const plan = planCall({ schema, query, maxRows }, request.target.name, givenArguments, {
    ...rootWindow(request),
    readOnly,
  })
  const isVoid = plan.routine.returns.kind === 'void'
  const format: ResponseFormat = { kind: 'call', accept, preferences, headOnly, isVoid }
  const built = buildCall(plan, accept, preferences.count, !headOnly)
  const commitsAfterResult = !readOnly && plan.routine.mayWrite && !isVoid
  return { built, format, readOnly, commitsAfterResult, writesSingleRow: false, hasPattern: usesPattern(query) }
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
