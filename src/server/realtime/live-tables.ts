import type { Pool } from 'pg'

/** A table whose changes are published. */
export interface LiveTable {
  oid: number
  schema: string
  name: string
  /** The columns that a signed-in caller may read, in the table's order, with PostgreSQL's short type names. */
  columns: readonly { name: string; type: string }[]
  /** PostgreSQL's short type name of each element of `columns`, by the column's name. */
  types: ReadonlyMap<string, string>
  /** The names of the columns of the primary key. */
  key: readonly string[]
  /** The name of the column with the id that decides who may see a row. */
  scopeColumn: string
}

const tablesSql = `
  select c.oid::int8::text as oid, n.nspname as schema, c.relname as name, s.scope_column as "scopeColumn",
    (select json_agg(json_build_object('name', a.attname, 'type', t.typname) order by a.attnum)
     from pg_attribute a join pg_type t on t.oid = a.atttypid
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       and has_column_privilege('authenticated', c.oid, a.attnum, 'select')) as columns,
    (select json_agg(a.attname order by a.attnum)
     from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
     where i.indrelid = c.oid and i.indisprimary) as key
  from pg_publication_rel p
  join pg_publication u on u.oid = p.prpubid and u.pubname = 'supabase_realtime'
  join pg_class c on c.oid = p.prrelid
  join pg_namespace n on n.oid = c.relnamespace
  join private.live_scopes() s on s.relation = c.oid`

/**
 * Creates the triggers that log the changes of the published tables, and returns these tables. Leaves out tables that the
 * product's SQL does not list in `private.live_scopes()`. Returns no tables if the product's functions for live changes do
 * not exist.
 */
export async function attachLiveTables(owner: Pool): Promise<LiveTable[]> {
  await owner.query('select realtime.attach()')
  const { rows: hooks } = await owner.query<{ exist: boolean }>(
    "select to_regprocedure('private.live_scopes()') is not null and to_regprocedure('private.may_hear(jsonb, uuid[])') is not null and to_regprocedure('private.live_members(uuid[])') is not null as exist",
  )
  if (hooks[0]?.exist !== true) return []
  const { rows } = await owner.query<Omit<LiveTable, 'types' | 'oid'> & { oid: string }>(tablesSql)
  return rows.map((row) => ({
    ...row,
    oid: Number(row.oid),
    columns: row.columns ?? [],
    key: row.key ?? [],
    types: new Map((row.columns ?? []).map(({ name, type }) => [name, type])),
  }))
}
