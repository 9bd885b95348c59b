import { HttpError, refusal } from '#server/http/errors.ts'
import type { MutationPlan, PlannedCondition, ReadPlan } from './plan.ts'
import { planConditions, planRead, type ReadOptions } from './plan-read.ts'
import { levelKey } from './parse-query.ts'
import type { Body, Condition, Preferences, Query } from './request.ts'
import type { Column, Relation } from './schema.ts'
import { unknownBodyColumn } from './unknown-name.ts'

const rootLevel = levelKey([])

/**
 * Checks a POST, PATCH or DELETE against the schema (docs/supabase-protocol.md, section 3). Filters choose the rows to write; select,
 * order and parameters of embedded resources determine what is returned. Throws PGRST204 for an unknown column of the
 * body, PGRST127 for a write with a limit, 21000 for a change without a filter.
 */
export function planMutation(
  kind: MutationPlan['kind'],
  options: ReadOptions,
  relation: Relation,
  body: Body,
  preferences: Preferences,
): MutationPlan {
  const { query } = options
  const level = query.levels.get(rootLevel)
  if (level && (level.limit !== null || level.offset > 0)) {
    throw refusal('PGRST127', { details: 'limit and offset are not served on a write' })
  }
  if (kind !== 'insert') refuseUnfiltered(kind, level?.conditions ?? [])
  return {
    kind,
    relation,
    columns: body.keys.map((key) => bodyColumn(relation, key)),
    body: bodyKind(kind, body),
    missingDefault: preferences.missingDefault && query.columns !== null,
    conflict: kind === 'insert' && preferences.resolution ? conflict(relation, query, preferences.resolution) : null,
    where: kind === 'insert' ? [] : conditions(relation, query),
    returning: preferences.representation ? planReturning(options, relation) : null,
    maxAffected: kind === 'insert' ? null : preferences.maxAffected,
  }
}

/**
 * A write to every row that the caller can reach is refused for all callers, like pg-safeupdate: it is a mistake or an
 * attack. Only a condition on the table's own rows counts, not one on an embedded resource.
 */
function refuseUnfiltered(kind: 'update' | 'delete', conditions: readonly Condition[]): void {
  if (conditions.some(holdsFilter)) return
  throw new HttpError(400, '21000', `${kind.toUpperCase()} requires a WHERE clause`, {
    hint: `Add a filter that says which rows are meant, such as ?id=eq.…`,
  })
}

function holdsFilter(condition: Condition): boolean {
  return condition.kind === 'filter' || condition.terms.some(holdsFilter)
}

function bodyKind(kind: MutationPlan['kind'], body: Body): MutationPlan['body'] {
  if (kind === 'delete') return 'none'
  if (body.kind === 'array') return 'list'
  return 'object'
}

function bodyColumn(relation: Relation, name: string): Column {
  const column = relation.columns.get(name)
  if (!column) throw unknownBodyColumn(relation, name)
  return column
}

function conflict(relation: Relation, query: Query, resolution: 'merge' | 'ignore'): MutationPlan['conflict'] {
  const names = query.onConflict ?? relation.primaryKey
  const columns = names.map((name) => {
    const column = relation.columns.get(name)
    if (!column) throw new HttpError(400, '42703', `column "${name.slice(0, 100)}" does not exist`)
    return column
  })
  return columns.length === 0 ? null : { columns, merge: resolution === 'merge' }
}

function conditions(relation: Relation, query: Query): PlannedCondition[] {
  return planConditions(relation, query.levels.get(rootLevel)?.conditions ?? [])
}

/** Reads the rows that the write returns, without the root's filters, which have already chosen them. */
function planReturning(options: ReadOptions, relation: Relation): ReadPlan {
  const levels = new Map(options.query.levels)
  const root = levels.get(rootLevel)
  if (root) levels.set(rootLevel, { ...root, conditions: [] })
  return planRead({ ...options, query: { ...options.query, levels } }, relation, { limit: null, offset: false })
}
