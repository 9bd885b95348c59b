import type { AcceptedFormat } from './request.ts'
import { maxRowsBytes } from './limits.ts'

/** Part of the error message of the cast that fails when the rows are too large. The number of bytes follows this part. */
export const tooLargePrefix = 'pgrst413 bytes: '

/** An SQL expression that aggregates rows as JSON, and the row source that it needs. */
interface AggregatedRows {
  json: string
  from: string
}

/** Aggregates all rows of the query `sql` as one JSON list. `isCounted`: whether their bytes are counted and limited. */
function aggregate(sql: string, alias: string, isCounted: boolean): AggregatedRows {
  if (!isCounted) return { json: `json_agg(${alias})`, from: `(${sql}) as ${alias}` }
  return {
    json: `json_agg(${alias}.j) filter (where ${alias}.checked is null)`,
    from: `(${countedSql(sql)}) as ${alias}`,
  }
}

/**
 * Returns a query that converts each row of the query `sql` to JSON and fails as soon as the rows so far are too large. The
 * database therefore keeps hardly more than `maxRowsBytes` in memory. `offset 0` prevents PostgreSQL from computing the JSON
 * of each row twice.
 */
function countedSql(sql: string): string {
  const bytes = 'sum(pg_column_size(o.j)) over (rows unbounded preceding)'
  const check = `case when ${bytes} > ${maxRowsBytes} then ('${tooLargePrefix}' || ${bytes})::int end`
  return `select o.j, ${check} as checked from (select row_to_json(n) as j from (${sql}) as n offset 0) as o`
}

/**
 * Returns an SQL expression for the rows of the query `sql` as JSON text (`body`), and its row source, named r (`from`). With
 * `accept.isSingle`, the text is the first row instead of a list, or null if there is no row.
 */
export function responseBodySql(
  sql: string,
  accept: AcceptedFormat,
  isCounted: boolean,
): { body: string; from: string } {
  const { json, from } = aggregate(sql, 'r', isCounted)
  const list = accept.isSingle ? `${json}->0` : `coalesce(${json}, '[]')`
  return { body: accept.stripNulls ? `json_strip_nulls(${list})::text` : `(${list})::text`, from }
}

/** Returns a scalar subquery for the rows of the query `sql` as one JSON list. */
export function embeddedJsonSql(sql: string, isCounted: boolean): string {
  const { json, from } = aggregate(sql, 'r', isCounted)
  return `(select coalesce(${json}, '[]') from ${from})`
}
