import { HttpError, refusal } from '#server/http/errors.ts'
import { findRelationship } from './find-relationship.ts'
import { maxColumns, maxTotalColumns, maxEmbeds, maxSqlSubqueries, maxSqlFilters } from './limits.ts'
import { levelKey } from './parse-query.ts'
import type { EmbedPlan, SelectOutput, PlannedCondition, PlannedField, PlannedOrder, ReadPlan } from './plan.ts'
import type { Condition, EmbedItem, Field, Level, OrderTerm, Query, SelectItem } from './request.ts'
import { offsetSlot } from './request.ts'
import type { Relation, Schema } from './schema.ts'
import { countInSql } from './condition-count.ts'
import { unknownColumn } from './unknown-name.ts'

const emptyLevel: Level = { conditions: [], order: [], limit: null, offset: 0 }

export interface ReadOptions {
  schema: Schema
  query: Query
  maxRows: number
}

/**
 * Checks select, filters, order and embedded resources against the schema, and plans the read. `root.limit` is the smaller of
 * the request's limit and the server's limit (null for the rows that a write returns). `root.offset` says whether rows are
 * skipped. Throws the refusals of docs/supabase-protocol.md, section 3.
 */
export function planRead(
  options: ReadOptions,
  relation: Relation,
  root: { limit: number | null; offset: boolean },
): ReadPlan {
  const planner = new ReadPlanner(options)
  const plan = planner.planLevel(relation, options.query.select, [[]])
  plan.limit = root.limit
  plan.offset = root.offset ? { from: offsetSlot, as: 'text' } : null
  planner.refuseUnusedLevels()
  refuseManyConditions(plan)
  return plan
}

function refuseManyConditions(plan: ReadPlan): void {
  const isSmall = countInSql(plan, 'subqueries') <= maxSqlSubqueries && countInSql(plan, 'filters') <= maxSqlFilters
  if (isSmall) return
  throw refusal('PGRST100', {
    message: `More than ${maxSqlSubqueries} conditions on embedded resources, or ${maxSqlFilters} filters, where conditions inside an embedded resource count each time the resource is requested. Use fewer`,
  })
}

/** Plans the conditions that choose the rows of a write. They cannot refer to embedded resources. */
export function planConditions(relation: Relation, conditions: readonly Condition[]): PlannedCondition[] {
  return conditions.map((condition) => planCondition(relation, [], condition))
}

class ReadPlanner {
  readonly #options: ReadOptions
  readonly #unusedLevels: Set<string>
  #aliasCount = 0
  #embedCount = 0
  #columnCount = 0

  constructor(options: ReadOptions) {
    this.#options = options
    this.#unusedLevels = new Set(options.query.levels.keys())
  }

  /**
   * Plans one level. `paths` are the paths by which parameters may refer to this level. Only the first path that occurs in the
   * query applies. A path with the alias comes before a path with the relation's name.
   */
  planLevel(relation: Relation, items: readonly SelectItem[], paths: readonly (readonly string[])[]): ReadPlan {
    const alias = this.#nextAlias()
    const level = this.#level(paths)
    const outputs: SelectOutput[] = []
    const embeds: EmbedPlan[] = []
    this.#countColumns(relation, items)
    for (const item of items) {
      if (item.kind === 'all') outputs.push({ kind: 'all' })
      else if (item.kind === 'field') outputs.push(this.#field(relation, item))
      else {
        const embed = this.#embed(relation, item, paths)
        embeds.push(embed)
        if (embed.isShown) outputs.push({ kind: 'embed', embed })
      }
    }
    return {
      relation,
      alias,
      outputs,
      embeds,
      where: level.conditions.map((condition) => planCondition(relation, embeds, condition)),
      order: level.order.map((term) => planOrder(relation, embeds, term)),
      limit: Math.min(level.limit ?? Number.POSITIVE_INFINITY, this.#options.maxRows),
      offset: level.offset > 0 ? { from: String(level.offset), as: 'text' } : null,
    }
  }

  refuseUnusedLevels(): void {
    for (const key of this.#unusedLevels) {
      const name = key.split('\0').at(-1) ?? ''
      throw refusal('PGRST108', {
        message: `'${name}' is not an embedded resource in this request`,
        hint: `Verify that '${name}' is included in the 'select' query parameter.`,
      })
    }
  }

  /** Throws if too many columns are selected. The first `*` is not counted, because a table may have many columns. */
  #countColumns(relation: Relation, items: readonly SelectItem[]): void {
    let columns = 0
    let stars = 0
    for (const item of items) {
      if (item.kind === 'field') columns++
      else if (item.kind === 'all' && ++stars > 1) columns += relation.columns.size
    }
    this.#columnCount += columns
    const maximum = columns > maxColumns ? maxColumns : maxTotalColumns
    if (columns <= maxColumns && this.#columnCount <= maxTotalColumns) return
    const where = maximum === maxColumns ? 'of one resource' : 'in all'
    throw refusal('PGRST100', { message: `More than ${maximum} columns ${where} are selected. Select fewer, or *` })
  }

  #nextAlias(): string {
    return `t${this.#aliasCount++}`
  }

  #level(paths: readonly (readonly string[])[]): Level {
    for (const path of paths) {
      const key = levelKey(path)
      const level = this.#options.query.levels.get(key)
      if (!level) continue
      this.#unusedLevels.delete(key)
      return level
    }
    return emptyLevel
  }

  #field(relation: Relation, item: Extract<SelectItem, { kind: 'field' }>): SelectOutput {
    if (item.field.column === 'count' && !relation.columns.has('count')) throw refusal('PGRST123')
    const field = planField(relation, item.field)
    const lastKey = item.field.path.filter((step) => typeof step.key === 'string').at(-1)?.key
    const name = item.alias ?? (lastKey === undefined ? item.field.column : String(lastKey))
    return { kind: 'field', field, name, cast: item.cast === null ? null : this.#cast(item.cast) }
  }

  /**
   * Returns the quoted SQL name of the type of a cast. Long names of standard SQL are converted to the names of the
   * catalogue. Throws 400 42704 for an unknown type.
   */
  #cast(castText: string): string {
    const isArray = castText.endsWith('[]')
    const typeName = isArray ? castText.slice(0, -2) : castText
    const name = typeNames.get(typeName.toLowerCase()) ?? typeName
    if (!this.#options.schema.types.has(name)) {
      throw new HttpError(400, '42704', `type "${castText.slice(0, 100)}" does not exist`)
    }
    return `"${name.replaceAll('"', '""')}"${isArray ? '[]' : ''}`
  }

  #embed(relation: Relation, item: EmbedItem, paths: readonly (readonly string[])[]): EmbedPlan {
    if (++this.#embedCount > maxEmbeds) {
      throw refusal('PGRST100', {
        message: `More than ${maxEmbeds} embedded resources. Request some of them separately`,
      })
    }
    const relationship = findRelationship(this.#options.schema, relation, item.target, item.hint)
    const names = item.alias === null ? [item.target] : [item.alias, item.target]
    const embedPaths = names.flatMap((name) => paths.map((path) => [...path, name]))
    return {
      name: item.alias ?? item.target,
      isShown: item.items.length > 0,
      isInner: item.isInner,
      relationship,
      junctionAlias: this.#nextAlias(),
      read: this.planLevel(relationship.target, item.items, embedPaths),
    }
  }
}

function planCondition(relation: Relation, embeds: readonly EmbedPlan[], condition: Condition): PlannedCondition {
  if (condition.kind !== 'filter') {
    return { ...condition, terms: condition.terms.map((term) => planCondition(relation, embeds, term)) }
  }
  const { field, test, negated } = condition
  const embed = relation.columns.has(field.column) ? undefined : findEmbed(embeds, field.column)
  if (!embed) return { kind: 'filter', field: planField(relation, field), negated, test }
  if (test.kind !== 'is' || (test.what !== 'null' && test.what !== 'not null')) {
    throw refusal('PGRST120', {
      message: `Bad operator on the '${field.column}' embedded resource`,
      details: 'Only is null or not is null filters are allowed on embedded resources',
    })
  }
  return { kind: 'related', embed, negated: (test.what === 'null') !== negated }
}

function planOrder(relation: Relation, embeds: readonly EmbedPlan[], term: OrderTerm): PlannedOrder {
  const { direction, nulls } = term
  if (term.relation === null) return { embed: null, field: planField(relation, term.field), direction, nulls }
  const embed = findEmbed(embeds, term.relation)
  if (!embed) {
    throw refusal('PGRST108', {
      message: `'${term.relation}' is not an embedded resource in this request`,
      hint: `Verify that '${term.relation}' is included in the 'select' query parameter.`,
    })
  }
  if (!embed.relationship.isToOne) {
    throw refusal('PGRST118', {
      message: `A related order on '${term.relation}' is not possible`,
      details: `'${relation.name}' and '${term.relation}' do not form a many-to-one or one-to-one relationship`,
    })
  }
  return { embed, field: planField(embed.read.relation, term.field), direction, nulls }
}

function findEmbed(embeds: readonly EmbedPlan[], name: string): EmbedPlan | undefined {
  return embeds.find((embed) => embed.name === name) ?? embeds.find((embed) => embed.relationship.target.name === name)
}

function planField(relation: Relation, field: Field): PlannedField {
  const column = relation.columns.get(field.column)
  if (!column) throw unknownColumn(relation, field.column)
  return { column, path: field.path }
}

const typeNames = new Map([
  ['int', 'int4'],
  ['integer', 'int4'],
  ['smallint', 'int2'],
  ['bigint', 'int8'],
  ['real', 'float4'],
  ['float', 'float8'],
  ['double precision', 'float8'],
  ['decimal', 'numeric'],
  ['boolean', 'bool'],
  ['character varying', 'varchar'],
  ['character', 'bpchar'],
  ['timestamp without time zone', 'timestamp'],
  ['timestamp with time zone', 'timestamptz'],
  ['time without time zone', 'time'],
  ['time with time zone', 'timetz'],
])
