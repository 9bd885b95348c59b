import { HttpError, refusal } from '#server/http/errors.ts'
import type { WritePlan, PlannedCondition, ReadPlan } from './plan.ts'
import { planConditions, planRead, type ReadOptions } from './plan-read.ts'
import { levelKey } from './parse-query.ts'
import type { Body, Condition, Preferences, Query } from './request.ts'
import type { Column, Relation } from './schema.ts'
import { unknownBodyColumn } from './unknown-name.ts'

const rootLevel = levelKey([])

/**
 * Checks a POST, PATCH or DELETE against the schema and plans it (docs/supabase-protocol.md, section 3). Filters choose the
 * rows to write. `select`, `order` and the parameters of embedded resources determine what is returned. Throws:
 * - PGRST204 for an unknown column in the body
 * - 42703 for an unknown column in a filter or in `on_conflict`
 * - PGRST127 for a write with a limit or offset
 * - 21000 for an update or delete without a filter
 */
export function planWrite(
  kind: WritePlan['kind'],
  options: ReadOptions,
  relation: Relation,
  body: Body,
  preferences: Preferences,
): WritePlan {
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
    conflict:
      kind === 'insert' && preferences.resolution ? planConflict(relation, query, preferences.resolution) : null,
    where: kind === 'insert' ? [] : planWhere(relation, query),
    returning: preferences.returnsRows ? planReturning(options, relation) : null,
    maxAffected: kind === 'insert' ? null : preferences.maxAffected,
  }
}

/**
 * Throws if an update or delete has no filter, as the extension pg-safeupdate does: a write to all rows that the caller may
 * write is a mistake or an attack. Only filters on the table itself count, not filters on embedded resources.
 */
function refuseUnfiltered(kind: 'update' | 'delete', conditions: readonly Condition[]): void {
  if (conditions.some(containsFilter)) return
  throw new HttpError(400, '21000', `${kind.toUpperCase()} requires a WHERE clause`, {
    hint: `Add a filter that says which rows are meant, such as ?id=eq.…`,
  })
}

function containsFilter(condition: Condition): boolean {
  return condition.kind === 'filter' || condition.terms.some(containsFilter)
}

function bodyKind(kind: WritePlan['kind'], body: Body): WritePlan['body'] {
  if (kind === 'delete') return 'none'
  if (body.kind === 'list') return 'list'
  return 'object'
}

function bodyColumn(relation: Relation, name: string): Column {
  const column = relation.columns.get(name)
  if (!column) throw unknownBodyColumn(relation, name)
  return column
}

function planConflict(relation: Relation, query: Query, resolution: 'merge' | 'ignore'): WritePlan['conflict'] {
  const names = query.onConflict ?? relation.primaryKey
  const columns = names.map((name) => {
    const column = relation.columns.get(name)
    if (!column) throw new HttpError(400, '42703', `column "${name.slice(0, 100)}" does not exist`)
    return column
  })
  return columns.length === 0 ? null : { columns, merge: resolution === 'merge' }
}

function planWhere(relation: Relation, query: Query): PlannedCondition[] {
  return planConditions(relation, query.levels.get(rootLevel)?.conditions ?? [])
}

/** Plans the read of the rows that the write returns. Filters on the table itself are left out: they have already chosen the rows to write. */
function planReturning(options: ReadOptions, relation: Relation): ReadPlan {
  const levels = new Map(options.query.levels)
  const root = levels.get(rootLevel)
  if (root) levels.set(rootLevel, { ...root, conditions: [] })
  return planRead({ ...options, query: { ...options.query, levels } }, relation, { limit: null, offset: false })
}
