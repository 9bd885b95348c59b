import type { WritePlan } from './plan.ts'
import { bodySlot } from './request.ts'
import { conditionSql } from './sql-condition.ts'
import { columnsRead } from './sql-read.ts'
import type { Column } from './schema.ts'
import { type Parameters, quoteName } from './sql-text.ts'

/** Alias of the body's rows in the statement. The aliases of relations are t, t0, t1, …. */
const bodyAlias = 'body'

/**
 * Returns the SQL of the write. If `returned` is not null, the SQL has a `returning` clause with this text, and the calling
 * code puts the SQL into a common table expression.
 */
export function writeSql(plan: WritePlan, parameters: Parameters, returned: string | null): string {
  const returning = returned === null ? '' : ` returning ${returned}`
  if (plan.kind === 'insert') return insertSql(plan, parameters) + returning
  // An update without columns writes nothing, as in PostgREST: an `update` would need the right to change some column.
  if (plan.kind === 'update' && plan.columns.length === 0)
    return `select ${returned ?? 'null'} from ${plan.relation.sql} as t where false`
  if (plan.kind === 'update') return updateSql(plan, parameters) + returning
  return `delete from ${plan.relation.sql} as t${writeWhereSql(plan, parameters)}${returning}`
}

/** Returns the column list for `returning`. The returned rows can be read like rows of the relation. */
export function returnedColumns(plan: WritePlan): string {
  const names = plan.returning === null ? [] : columnsRead(plan.returning)
  const source = plan.kind === 'insert' ? plan.relation.sql : 't'
  if (names === null) return plan.kind === 'insert' ? '*' : `${source}.*`
  if (names.length === 0) return 'true as written'
  return names.map((name) => (plan.kind === 'insert' ? quoteName(name) : `${source}.${quoteName(name)}`)).join(', ')
}

function insertSql(plan: WritePlan, parameters: Parameters): string {
  const into = `insert into ${plan.relation.sql}`
  if (plan.columns.length === 0) return `${into} ${plan.body === 'object' ? 'default values' : 'select where false'}`
  const names = plan.columns.map((column) => quoteName(column.name))
  const values = `(${names.join(', ')}) select ${names.map((name) => `${bodyAlias}.${name}`).join(', ')}`
  return `${into} ${values} from ${requestBodySql(plan, parameters)}${conflictSql(plan)}`
}

function conflictSql(plan: WritePlan): string {
  if (!plan.conflict) return ''
  const target = ` on conflict (${plan.conflict.columns.map((column) => quoteName(column.name)).join(', ')})`
  const merged = mergedColumns(plan)
  if (merged.length === 0) return `${target} do nothing`
  const sets = merged.map((column) => `${quoteName(column.name)} = excluded.${quoteName(column.name)}`)
  return `${target} do update set ${sets.join(', ')}`
}

/**
 * Returns the columns that an upsert sets in an existing row: all columns of the body outside of the conflict target.
 * The columns of the conflict target have equal values already, and setting them would need the right to change a key.
 * Returns an empty list for a write that changes no existing row.
 */
export function mergedColumns(plan: WritePlan): Column[] {
  const { conflict } = plan
  if (!conflict?.merge) return []
  return plan.columns.filter((column) => !conflict.columns.includes(column))
}

/**
 * Returns a query for the existing rows of an upsert whose body contains only the key. Such an upsert changes no existing
 * row, but must return the existing rows like the new ones.
 */
export function foundByKeySql(plan: WritePlan, parameters: Parameters, columns: readonly string[]): string {
  const keys = plan.conflict?.columns.map((column) => quoteName(column.name)) ?? []
  const bodyKeys = `select ${keys.map((key) => `${bodyAlias}.${key}`).join(', ')} from ${requestBodySql(plan, parameters)}`
  const keyColumns = keys.map((key) => `t.${key}`).join(', ')
  const shown = columns.length === 0 ? 'true as written' : columns.map((name) => `t.${quoteName(name)}`).join(', ')
  return `select ${shown} from ${plan.relation.sql} as t where (${keyColumns}) in (${bodyKeys})`
}

/** Returns the SQL of an update. If the body is a list, its first object is used, as in PostgREST. */
function updateSql(plan: WritePlan, parameters: Parameters): string {
  const table = `update ${plan.relation.sql} as t`
  const sets = plan.columns.map((column) => `${quoteName(column.name)} = ${bodyAlias}.${quoteName(column.name)}`)
  return `${table} set ${sets.join(', ')} from ${requestBodySql(plan, parameters)}${writeWhereSql(plan, parameters)}`
}

function writeWhereSql(plan: WritePlan, parameters: Parameters): string {
  if (plan.where.length === 0) return ''
  return ` where ${plan.where.map((condition) => conditionSql('t', condition, parameters)).join(' and ')}`
}

/** Returns the row source of the body. PostgreSQL parses the body's text, so that numbers keep all digits. */
function requestBodySql(plan: WritePlan, parameters: Parameters): string {
  const json = `${parameters.add({ from: bodySlot, as: 'text' })}::json`
  const columns = plan.columns.map((column) => `${quoteName(column.name)} ${column.type}`).join(', ')
  if (plan.body === 'object') return `json_to_record(${withDefaults(plan, json)}) as ${bodyAlias}(${columns})`
  return `json_to_recordset(${listWithDefaults(plan, json)}) as ${bodyAlias}(${columns})`
}

function withDefaults(plan: WritePlan, json: string): string {
  const defaults = defaultsSql(plan, 'item')
  return defaults === null ? json : `(select (item || ${defaults})::json from (select ${json}::jsonb as item) as given)`
}

function listWithDefaults(plan: WritePlan, json: string): string {
  const defaults = defaultsSql(plan, 'item')
  if (defaults === null) return json
  return `(select json_agg(item || ${defaults}) from jsonb_array_elements(${json}::jsonb) as item)`
}

/**
 * Returns the SQL of a JSON object for `Prefer: missing=default`. The object has each written column that has a default: with
 * the value of the row `item` of the body, or with the default if `item` lacks the key. Returns null if no default is needed.
 * A default is evaluated only for rows without the key, so that no sequence is advanced needlessly.
 */
function defaultsSql(plan: WritePlan, item: string): string | null {
  if (!plan.missingDefault || plan.kind !== 'insert') return null
  const columnsWithDefault = plan.columns.filter((column) => column.default !== null)
  if (columnsWithDefault.length === 0) return null
  const members = columnsWithDefault.map((column) => {
    const key = `'${column.name.replaceAll("'", "''")}'`
    return `${key}, case when ${item} ? ${key} then ${item}->${key} else to_jsonb(${column.default}) end`
  })
  return `jsonb_build_object(${members.join(', ')})`
}
