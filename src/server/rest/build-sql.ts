import type { CallPlan, MutationPlan, ReadPlan } from './plan.ts'
import { callFromSql } from './sql-call.ts'
import { mutationSql, returnedColumns } from './sql-mutation.ts'
import { rowsSql } from './sql-read.ts'
import { Parameters } from './sql-text.ts'
import { OFFSET_SLOT, type Accept, type Value } from './request.ts'

/**
 * A statement whose text depends on the request's shape only, so that the database prepares it once. It answers one row:
 * `body` (JSON text), `page` (rows in it) and, where asked, `total` and `inserted`; or no row at all for a plain write.
 */
export interface Built {
  text: string
  values: readonly Value[]
}

/** Rows asked for as one object are counted inside the statement: an error there undoes the write (see `respond.ts`). */
export const NOT_SINGLE = 'pgrst116 rows: '
export const TOO_MANY_AFFECTED = 'pgrst124 rows: '

/** A GET or, without `withBody`, a HEAD: only the counts. */
export function buildRead(read: ReadPlan, accept: Accept, withTotal: boolean, withBody: boolean): Built {
  const parameters = new Parameters()
  const { sql, counted } = rowsSql(read, read.relation.sql, parameters)
  const body = withBody ? bodySql(accept, 'r') : 'null'
  const total = withTotal ? `, ${totalSql(read, counted, parameters)} as total` : ''
  const text = `select ${body} as body, count(*) as page${total} from (${sql}) as r`
  return { text, values: parameters.values }
}

/** A write. Without representation it returns nothing, and so needs no right to read (wire facts: insert … returning). */
export function buildMutation(plan: MutationPlan, accept: Accept): Built {
  const parameters = new Parameters()
  const counts = accept.single || plan.maxAffected !== null
  const upsert = plan.conflict?.merge === true && plan.relation.isTable && plan.columns.length > 0
  if (!plan.returning && !counts && !upsert) {
    return { text: mutationSql(plan, parameters, null), values: parameters.values }
  }
  const returned = plan.returning ? returnedColumns(plan) : 'true as written'
  const marked = upsert ? `${returned}, xmax = 0 as "pgrst inserted"` : returned
  const written = `with written as (${mutationSql(plan, parameters, marked)})`
  const inserted = upsert ? ', (select count(*) from written where "pgrst inserted") as inserted' : ''
  const affected = '(select count(*) from written)'
  const check = checkSql(plan, accept, affected)
  if (!plan.returning) {
    const text = `${written} select null as body, count(*) as page${inserted}${check} from written`
    return { text, values: parameters.values }
  }
  const { sql } = rowsSql(plan.returning, upsert ? withoutMark(plan, marked) : 'written', parameters)
  const text = `${written} select ${bodySql(accept, 'r')} as body, count(*) as page${inserted}${check} from (${sql}) as r`
  return { text, values: parameters.values }
}

/** A function's call: rows like those of a relation, or a value as it is. */
export function buildCall(plan: CallPlan, accept: Accept, withTotal: boolean, withBody: boolean): Built {
  const parameters = new Parameters()
  const { returns } = plan.routine
  const from = callFromSql(plan, parameters)
  if (plan.read) {
    const { sql, counted } = rowsSql(plan.read, 'called', parameters)
    const single = accept.single || !returns.set
    const body = withBody ? bodySql({ ...accept, single }, 'r') : 'null'
    const total = withTotal ? `, (${counted}) as total` : ''
    const check = accept.single ? checkSql(null, accept, 'count(*)') : ''
    const text = `with called as (select result.* from ${from}) select ${body} as body, count(*) as page${total}${check} from (${sql}) as r`
    return { text, values: parameters.values }
  }
  if (returns.kind === 'void') return { text: `select null as body, 1 as page from ${from}`, values: parameters.values }
  const value = returns.kind === 'json' && !returns.set ? 'result::text' : 'to_json(result)::text'
  if (!returns.set) return { text: `select ${value} as body, 1 as page from ${from}`, values: parameters.values }
  const text = accept.single
    ? `select (json_agg(result)->0)::text as body, count(*) as page${checkSql(null, accept, 'count(*)')} from ${from}`
    : `select coalesce(json_agg(result), '[]')::text as body, count(*) as page from ${from}`
  return { text, values: parameters.values }
}

function bodySql(accept: Accept, rows: string): string {
  const list = accept.single ? `json_agg(${rows})->0` : `coalesce(json_agg(${rows}), '[]')`
  return accept.stripNulls ? `json_strip_nulls(${list})::text` : `(${list})::text`
}

/**
 * A cast that fails exactly when the count is wrong, with the count in its message: the one way to refuse inside a plain
 * statement without a function of our own in the database.
 */
function checkSql(plan: MutationPlan | null, accept: Accept, affected: string): string {
  const checks: string[] = []
  if (accept.single) checks.push(`when ${affected} <> 1 then ('${NOT_SINGLE}' || ${affected})::int`)
  const most = plan?.maxAffected ?? null
  if (most !== null) checks.push(`when ${affected} > ${most} then ('${TOO_MANY_AFFECTED}' || ${affected})::int`)
  return checks.length === 0 ? '' : `, case ${checks.join(' ')} end as checked`
}

/** A page that is not full says the total itself; only otherwise the rows are counted apart. */
function totalSql(read: ReadPlan, counted: string, parameters: Parameters): string {
  if (read.limit === null) return `(${counted})`
  if (read.offset === null) return `case when count(*) < ${read.limit} then count(*) else (${counted}) end`
  const offset = parameters.add({ from: OFFSET_SLOT, as: 'text' })
  return `case when count(*) between 1 and ${read.limit - 1} then count(*) + ${offset}::bigint else (${counted}) end`
}

/** The written rows without the column that tells inserted ones from merged ones, where all columns are returned. */
function withoutMark(plan: MutationPlan, marked: string): string {
  if (!marked.startsWith('*') && !marked.startsWith('t.*')) return 'written'
  const columns = [...plan.relation.columns.keys()].map((name) => `"${name.replaceAll('"', '""')}"`)
  return `(select ${columns.join(', ')} from written)`
}
