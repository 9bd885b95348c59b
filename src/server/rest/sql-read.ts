import { mayBeTooLarge } from './result-size.ts'
import type { EmbedPlan, PlannedOrder, ReadPlan } from './plan.ts'
import { embeddedJsonSql } from './sql-json.ts'
import { fromClauseOfEmbed, fieldSql, whereSql } from './sql-condition.ts'
import { type Parameters, quoteName } from './sql-text.ts'

/**
 * Returns the query for the rows of the requested resource (`sql`), and the query that counts all matching rows, without limit and offset
 * (`countSql`). An embedded resource is a scalar subquery in the select list, because PostgreSQL evaluates such subqueries
 * after sort and limit, only for the returned rows. (A lateral join would run for every row before the sort.)
 */
export function rowsSql(read: ReadPlan, source: string, parameters: Parameters): { sql: string; countSql: string } {
  const columns = columnsSql(read, parameters)
  const from = ` from ${source} as ${read.alias}`
  const where = whereSql(read, parameters)
  const sql = `select ${columns}${from}${where}${orderSql(read, parameters)}${windowSql(read, parameters)}`
  return { sql, countSql: `select count(*)${from}${where}` }
}

/**
 * Returns the names of the requested resource's columns that the plan reads, for the `returning` clause of a write. Returns null if the
 * plan reads all columns.
 */
export function columnsRead(read: ReadPlan): string[] | null {
  const names = new Set<string>()
  for (const output of read.outputs) {
    if (output.kind === 'all') return null
    if (output.kind === 'field') names.add(output.field.column.name)
  }
  for (const term of read.order) if (term.embed === null) names.add(term.field.column.name)
  for (const embed of read.embeds) for (const [from] of embed.relationship.join) names.add(from)
  return [...names]
}

function columnsSql(read: ReadPlan, parameters: Parameters): string {
  const { alias } = read
  const columns = read.outputs.map((output) => {
    if (output.kind === 'all') return `${alias}.*`
    if (output.kind === 'embed')
      return `${embedSql(alias, output.embed, parameters)} as ${quoteName(output.embed.name)}`
    const cast = output.cast === null ? '' : `::${output.cast}`
    return `${fieldSql(alias, output.field, parameters)}${cast} as ${quoteName(output.name)}`
  })
  return columns.join(', ')
}

function embedSql(parentAlias: string, embed: EmbedPlan, parameters: Parameters): string {
  const { read, relationship } = embed
  const columns = columnsSql(read, parameters)
  const { from, joinConditions } = fromClauseOfEmbed(parentAlias, embed)
  const where = whereSql(read, parameters, joinConditions)
  const rows = `select ${columns} from ${from}${where}${orderSql(read, parameters)}`
  if (relationship.isToOne) return `(select row_to_json(r) from (${rows}) as r)`
  return embeddedJsonSql(`${rows}${windowSql(read, parameters)}`, mayBeTooLarge(read, read.limit))
}

function orderSql(read: ReadPlan, parameters: Parameters): string {
  if (read.order.length === 0) return ''
  return ` order by ${read.order.map((term) => orderTermSql(read.alias, term, parameters)).join(', ')}`
}

function orderTermSql(alias: string, term: PlannedOrder, parameters: Parameters): string {
  const direction = term.direction === null ? '' : ` ${term.direction}`
  const nulls = term.nulls === null ? '' : ` nulls ${term.nulls}`
  return `${orderFieldSql(alias, term, parameters)}${direction}${nulls}`
}

function orderFieldSql(alias: string, { embed, field }: PlannedOrder, parameters: Parameters): string {
  if (!embed) return fieldSql(alias, field, parameters)
  const { from, joinConditions } = fromClauseOfEmbed(alias, embed)
  const where = whereSql(embed.read, parameters, joinConditions)
  return `(select ${fieldSql(embed.read.alias, field, parameters)} from ${from}${where})`
}

/**
 * Returns the `limit` and `offset` clauses of a level. The limit is a constant in the text: if it were a parameter,
 * PostgreSQL would guess its value and choose a wrong index.
 */
function windowSql(read: ReadPlan, parameters: Parameters): string {
  const limit = read.limit === null ? '' : ` limit ${read.limit}`
  return read.offset === null ? limit : `${limit} offset ${parameters.add(read.offset)}`
}
