import type { EmbedPlan, PlannedCondition, PlannedField, ReadPlan } from './plan.ts'
import { type Parameters, quoteName } from './sql-text.ts'

/** Returns the SQL of a column of a row source, or of a path inside a JSON column. */
export function fieldSql(alias: string, field: PlannedField, parameters: Parameters): string {
  const column = `${alias}.${quoteName(field.column.name)}`
  if (field.path.length === 0) return column
  const steps = field.path.map(
    ({ arrow, key }) => `${arrow}${typeof key === 'number' ? `(${key})` : `${parameters.fixed(key)}::text`}`,
  )
  return `(${column}${steps.join('')})`
}

/**
 * Returns the `where` clause of a level. It contains `joinConditions`, the level's own conditions, and the conditions of its
 * inner embedded resources. Returns '' if there are no conditions.
 */
export function whereSql(read: ReadPlan, parameters: Parameters, joinConditions: readonly string[] = []): string {
  const terms = [...joinConditions, ...read.where.map((condition) => conditionSql(read.alias, condition, parameters))]
  for (const embed of read.embeds) if (embed.isInner) terms.push(existsSql(read.alias, embed, parameters))
  return terms.length === 0 ? '' : ` where ${terms.join(' and ')}`
}

/** Returns the SQL of a condition on the row source `alias`. The values of the condition become parameters. */
export function conditionSql(alias: string, condition: PlannedCondition, parameters: Parameters): string {
  const not = condition.negated ? 'not ' : ''
  if (condition.kind === 'related') return not + existsSql(alias, condition.embed, parameters)
  if (condition.kind === 'filter') return `${not}(${testSql(alias, condition, parameters)})`
  const terms = condition.terms.map((term) => conditionSql(alias, term, parameters))
  return `${not}(${terms.join(` ${condition.kind} `)})`
}

/** Returns the row source of an embedded resource, and the conditions that join it with the parent's row. */
export function fromClauseOfEmbed(parentAlias: string, embed: EmbedPlan): { from: string; joinConditions: string[] } {
  const { relationship, junctionAlias, read } = embed
  const target = `${relationship.target.sql} as ${read.alias}`
  const { junction } = relationship
  if (!junction) return { from: target, joinConditions: joinSql(parentAlias, relationship.join, read.alias) }
  return {
    from: `${junction.relation.sql} as ${junctionAlias}, ${target}`,
    joinConditions: [
      ...joinSql(parentAlias, relationship.join, junctionAlias),
      ...joinSql(junctionAlias, junction.join, read.alias),
    ],
  }
}

function existsSql(parentAlias: string, embed: EmbedPlan, parameters: Parameters): string {
  const { from, joinConditions } = fromClauseOfEmbed(parentAlias, embed)
  return `exists (select from ${from}${whereSql(embed.read, parameters, joinConditions)})`
}

function joinSql(left: string, join: readonly (readonly [string, string])[], right: string): string[] {
  return join.map(([from, to]) => `${right}.${quoteName(to)} = ${left}.${quoteName(from)}`)
}

function testSql(
  alias: string,
  { field, test }: Extract<PlannedCondition, { kind: 'filter' }>,
  parameters: Parameters,
): string {
  const left = fieldSql(alias, field, parameters)
  switch (test.kind) {
    case 'is':
      return `${left} is ${test.what}`
    case 'in':
      return `${left} = any(${parameters.add(test.value)})`
    case 'compare': {
      const value = parameters.add(test.value)
      return `${left} ${test.operator} ${test.quantifier === null ? value : `${test.quantifier}(${value})`}`
    }
    case 'search': {
      const language = test.language === null ? '' : `${parameters.fixed(test.language)}::regconfig, `
      const vector =
        field.column.isTextSearchVector && field.path.length === 0 ? left : `to_tsvector(${language}${left})`
      return `${vector} @@ ${test.sqlFunction}(${language}${parameters.add(test.value)})`
    }
  }
}
