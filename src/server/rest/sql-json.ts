import type { Accept } from './request.ts'
import { maxRowsBytes } from './limits.ts'

/** Start of the message of the cast that fails when an answer is too large; the number of bytes follows. */
export const tooLargeMessage = 'pgrst413 bytes: '

/** The JSON expression of a row source called `alias`, and the `from` that it aggregates. */
interface Aggregated {
  json: string
  from: string
}

/** All rows of `sql` as one JSON list. */
function aggregated(sql: string, alias: string, isBounded: boolean): Aggregated {
  if (!isBounded) return { json: `json_agg(${alias})`, from: `(${sql}) as ${alias}` }
  return {
    json: `json_agg(${alias}.j) filter (where ${alias}.checked is null)`,
    from: `(${countedSql(sql)}) as ${alias}`,
  }
}

/**
 * Each row as JSON, with a check that fails as soon as the rows so far are too large, so that the database does not
 * hold more than that either. `offset 0` keeps the planner from computing each row's JSON twice.
 */
function countedSql(sql: string): string {
  const bytes = 'sum(pg_column_size(o.j)) over (rows unbounded preceding)'
  const check = `case when ${bytes} > ${maxRowsBytes} then ('${tooLargeMessage}' || ${bytes})::int end`
  return `select o.j, ${check} as checked from (select row_to_json(n) as j from (${sql}) as n offset 0) as o`
}

/** `body`, the JSON text of the rows of `sql`, and the `from` (named r) for it and the counts. */
export function bodySql(sql: string, accept: Accept, isBounded: boolean): { body: string; from: string } {
  const { json, from } = aggregated(sql, 'r', isBounded)
  const list = accept.single ? `${json}->0` : `coalesce(${json}, '[]')`
  return { body: accept.stripNulls ? `json_strip_nulls(${list})::text` : `(${list})::text`, from }
}

/** The rows of `sql` as one JSON value of a row. */
export function embeddedJsonSql(sql: string, isBounded: boolean): string {
  const { json, from } = aggregated(sql, 'r', isBounded)
  return `(select coalesce(${json}, '[]') from ${from})`
}
