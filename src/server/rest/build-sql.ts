import { mayBeTooLarge } from './result-size.ts'
import type { CallPlan, WritePlan, ReadPlan } from './plan.ts'
import { callFromSql } from './sql-call.ts'
import { responseBodySql } from './sql-json.ts'
import { foundByKeySql, mergedColumns, writeSql, returnedColumns } from './sql-write.ts'
import { columnsRead, rowsSql } from './sql-read.ts'
import { Parameters, quoteName } from './sql-text.ts'
import { offsetSlot, type AcceptedFormat, type Value } from './request.ts'

/**
 * A statement with its values. Its text depends only on the request's shape (the request without its values), so that the database can
 * keep the statement prepared. The statement returns one row: `body` (JSON text), `row_count` (the number of rows in the body, or of
 * written rows) and, if needed, `total` and `inserted`. A write that needs none of these returns no row.
 */
export interface BuiltStatement {
  text: string
  values: readonly Value[]
}

/**
 * Part of the error message that a write or a function call raises if a single object was requested and the number of rows is
 * not one. The number of rows follows this part. The error rolls the statement back. (For a read, `respond` checks the number.)
 */
export const notSinglePrefix = 'pgrst116 rows: '
/** Part of the error message that a write raises if it affects more rows than `max-affected` allows. The number of rows follows this part. */
export const tooManyAffectedPrefix = 'pgrst124 rows: '

/**
 * Builds the statement of a GET. If `withBody` is false, builds the statement of a HEAD, which returns only the counts. `withTotal`:
 * whether the statement also counts all matching rows.
 */
export function buildRead(
  read: ReadPlan,
  accept: AcceptedFormat,
  withTotal: boolean,
  withBody: boolean,
): BuiltStatement {
  const parameters = new Parameters()
  const { sql, countSql } = rowsSql(read, read.relation.sql, parameters)
  const { body, from } = withBody ? responseBodySql(sql, accept, mayBeTooLarge(read, read.limit)) : noBody(sql)
  const total = withTotal ? `, ${totalSql(read, countSql, parameters)} as total` : ''
  const text = `select ${body} as body, count(*) as row_count${total} from ${from}`
  return { text, values: parameters.values }
}

/**
 * Builds the statement of a write. Without `return=representation`, the statement returns no column of the table, because the
 * caller would then need the right to read the column. Its `returning` clause only counts the rows and marks those that an
 * upsert inserted.
 */
export function buildWrite(plan: WritePlan, accept: AcceptedFormat): BuiltStatement {
  const parameters = new Parameters()
  const checksCount = accept.isSingle || plan.maxAffected !== null
  const marksInserted = plan.conflict?.merge === true && plan.relation.isTable && plan.columns.length > 0
  if (!plan.returning && !checksCount && !marksInserted) {
    return { text: writeSql(plan, parameters, null), values: parameters.values }
  }
  const returned = plan.returning ? returnedColumns(plan) : 'true as written'
  const marked = marksInserted ? `${returned}, xmax = 0 as "pgrst inserted"` : returned
  const written = `with written as (${writeSql(plan, parameters, marked)})`
  const inserted = marksInserted ? ', (select count(*) from written where "pgrst inserted") as inserted' : ''
  if (!plan.returning) {
    const check = checkSql(plan, accept, '(select count(*) from written)')
    const text = `${written} select null as body, count(*) as row_count${inserted}${check} from written`
    return { text, values: parameters.values }
  }
  const source = marksInserted ? upsertResultSql(plan, plan.returning, parameters) : 'written'
  const check = checkSql(plan, accept, `(select count(*) from ${source} as a)`)
  const { sql } = rowsSql(plan.returning, source, parameters)
  const { body, from } = responseBodySql(sql, accept, mayBeTooLarge(plan.returning, writesOneRow(plan) ? 1 : null))
  const text = `${written} select ${body} as body, count(*) as row_count${inserted}${check} from ${from}`
  return { text, values: parameters.values }
}

/**
 * Builds the statement of a function call. If the function returns rows with known columns, they are read like rows of a
 * relation; other results are read as values.
 */
export function buildCall(
  plan: CallPlan,
  accept: AcceptedFormat,
  withTotal: boolean,
  withBody: boolean,
): BuiltStatement {
  const parameters = new Parameters()
  const { returns } = plan.routine
  const from = callFromSql(plan, parameters)
  if (plan.read) {
    const { sql, countSql } = rowsSql(plan.read, 'called', parameters)
    const isSingle = accept.isSingle || !returns.set
    const { body, from: rows } = withBody
      ? responseBodySql(sql, { ...accept, isSingle }, mayBeTooLarge(plan.read, plan.read.limit))
      : noBody(sql)
    const total = withTotal ? `, (${countSql}) as total` : ''
    const check = accept.isSingle ? checkSql(null, accept, 'count(*)') : ''
    const text = `with called as (select result.* from ${from}) select ${body} as body, count(*) as row_count${total}${check} from ${rows}`
    return { text, values: parameters.values }
  }
  if (returns.kind === 'void')
    return { text: `select null as body, 1 as row_count from ${from}`, values: parameters.values }
  const value = returns.kind === 'json' && !returns.set ? 'result::text' : 'to_json(result)::text'
  if (!returns.set) return { text: `select ${value} as body, 1 as row_count from ${from}`, values: parameters.values }
  const values = `(select result from ${from} limit ${plan.maxRows}) as r`
  const text = accept.isSingle
    ? `select (json_agg(r.result)->0)::text as body, count(*) as row_count${checkSql(null, accept, 'count(*)')} from ${values}`
    : `select coalesce(json_agg(r.result), '[]')::text as body, count(*) as row_count from ${values}`
  return { text, values: parameters.values }
}

function noBody(sql: string): { body: string; from: string } {
  return { body: 'null', from: `(${sql}) as r` }
}

/**
 * Returns an SQL column with a cast that fails if the number of rows is wrong. Returns '' if the request does not
 * restrict this number. The error message contains the number of rows. A cast is used because a statement without a
 * function can raise an error in no other way.
 */
function checkSql(plan: WritePlan | null, accept: AcceptedFormat, affected: string): string {
  const checks: string[] = []
  if (accept.isSingle) checks.push(`when ${affected} <> 1 then ('${notSinglePrefix}' || ${affected})::int`)
  const limit = plan?.maxAffected ?? null
  if (limit !== null) checks.push(`when ${affected} > ${limit} then ('${tooManyAffectedPrefix}' || ${affected})::int`)
  return checks.length === 0 ? '' : `, case ${checks.join(' ')} end as checked`
}

/**
 * Returns an SQL expression for the total number of rows. If the page is not full, the expression adds the offset and the
 * length of the page. If the page is full, is empty after an offset, or has no limit, a subquery counts the rows.
 */
function totalSql(read: ReadPlan, countSql: string, parameters: Parameters): string {
  if (read.limit === null) return `(${countSql})`
  if (read.offset === null) return `case when count(*) < ${read.limit} then count(*) else (${countSql}) end`
  const offset = parameters.add({ from: offsetSlot, as: 'text' })
  return `case when count(*) between 1 and ${read.limit - 1} then count(*) + ${offset}::bigint else (${countSql}) end`
}

/**
 * Returns the row source of an upsert's result: the written rows without the column "pgrst inserted" and, if the body has
 * only the columns of the conflict key, the existing rows that the upsert left unchanged.
 */
function upsertResultSql(plan: WritePlan, returning: ReadPlan, parameters: Parameters): string {
  const columns = columnsRead(returning) ?? [...plan.relation.columns.keys()]
  const names = columns.length === 0 ? 'written' : columns.map(quoteName).join(', ')
  const setsOnlyKey = plan.conflict?.columns.length === plan.columns.length && mergedColumns(plan).length === 0
  const found = setsOnlyKey ? ` union all ${foundByKeySql(plan, parameters, columns)}` : ''
  return `(select ${names} from written${found})`
}

/**
 * Whether the write affects at most one row: an insert of a single object, or an update or delete whose filters fix the
 * primary key. The response is then small.
 */
export function writesOneRow(plan: WritePlan): boolean {
  if (plan.kind === 'insert') return plan.body === 'object'
  const isFixed = (name: string) =>
    plan.where.some(
      (condition) =>
        condition.kind === 'filter' &&
        !condition.negated &&
        condition.field.column.name === name &&
        condition.test.kind === 'compare' &&
        condition.test.operator === '=' &&
        condition.test.quantifier === null,
    )
  return plan.relation.primaryKey.length > 0 && plan.relation.primaryKey.every(isFixed)
}
