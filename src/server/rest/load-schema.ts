import type { Pool, PoolClient } from 'pg'
import { relationshipsOf } from './relationships.ts'
import type { Column, ForeignKey, Relation, Routine, Schema, UniqueKey } from './schema.ts'
import { quoteName } from './sql-text.ts'

/**
 * Reads a schema from PostgreSQL's catalogue, in one snapshot. `search_path` is empty meanwhile, so that PostgreSQL writes each
 * type and default with its schema. This text then has the same meaning for every caller. Throws pg's errors.
 */
export async function loadSchema(pool: Pool, name: string): Promise<Schema> {
  const client = await pool.connect()
  try {
    await client.query("begin isolation level repeatable read read only; set local search_path = ''")
    const relations = await loadRelations(client, name)
    const foreignKeys = (await client.query<ForeignKey>(foreignKeysSql, [name])).rows
    const uniques = (await client.query<UniqueKey>(uniqueKeysSql, [name])).rows
    const functions = await loadFunctions(client, name, relations)
    const types = (await client.query<{ name: string }>(typesSql, [name])).rows
    await client.query('commit')
    client.release()
    return {
      name,
      relations,
      functions,
      relationships: relationshipsOf(relations, foreignKeys, uniques),
      types: new Set(types.map((type) => type.name)),
    }
  } catch (error) {
    client.release(true)
    throw error
  }
}

async function loadRelations(client: PoolClient, schema: string): Promise<Map<string, Relation>> {
  const { rows } = await client.query<{
    name: string
    is_table: boolean
    primary_key: string[] | null
    columns: { name: string; type: string; is_vector: boolean; default: string | null }[]
  }>(relationsSql, [schema])
  return new Map(
    rows.map((row) => [
      row.name,
      {
        name: row.name,
        sql: `${quoteName(schema)}.${quoteName(row.name)}`,
        isTable: row.is_table,
        primaryKey: row.primary_key ?? [],
        columns: new Map(row.columns.map((column) => [column.name, toColumn(column)])),
      },
    ]),
  )
}

function toColumn(row: { name: string; type: string; is_vector: boolean; default: string | null }): Column {
  return { name: row.name, type: row.type, isTextSearchVector: row.is_vector, default: row.default }
}

async function loadFunctions(
  client: PoolClient,
  schema: string,
  relations: ReadonlyMap<string, Relation>,
): Promise<Map<string, Routine[]>> {
  const { rows } = await client.query<{
    name: string
    set: boolean
    may_write: boolean
    kind: 'void' | 'scalar' | 'json' | 'rows'
    returned_relation: string | null
    args: { name: string; type: string; required: boolean }[]
    columns: { name: string; type: string; is_vector: boolean; default: null }[]
  }>(functionsSql, [schema])
  const functions = new Map<string, Routine[]>()
  for (const row of rows) {
    const sql = `${quoteName(schema)}.${quoteName(row.name)}`
    const relation = row.returned_relation === null ? undefined : relations.get(row.returned_relation)
    const columns = new Map(row.columns.map((column) => [column.name, toColumn(column)]))
    const resultRelation: Relation | null =
      row.kind === 'rows' ? { name: row.name, sql, isTable: false, primaryKey: [], columns } : null
    const routine: Routine = {
      name: row.name,
      sql,
      args: row.args,
      returns: { kind: row.kind, set: row.set, relation: relation ?? resultRelation },
      mayWrite: row.may_write,
    }
    const overloads = functions.get(row.name)
    if (overloads) overloads.push(routine)
    else functions.set(row.name, [routine])
  }
  return functions
}

const relationsSql = `
  select c.relname as name, c.relkind in ('r', 'p') as is_table,
    (select array_agg(a.attname::text order by k.ordinal)
      from pg_catalog.pg_constraint p, unnest(p.conkey) with ordinality as k(attnum, ordinal), pg_catalog.pg_attribute a
      where p.conrelid = c.oid and p.contype = 'p' and a.attrelid = c.oid and a.attnum = k.attnum) as primary_key,
    (select coalesce(json_agg(json_build_object('name', a.attname,
        'type', pg_catalog.format_type(a.atttypid, a.atttypmod), 'is_vector', a.atttypid = 'pg_catalog.tsvector'::regtype,
        'default', case when a.attidentity <> '' then
            format('pg_catalog.nextval(%L::pg_catalog.regclass)', pg_catalog.pg_get_serial_sequence(c.oid::regclass::text, a.attname))
          when a.attgenerated = '' then pg_catalog.pg_get_expr(d.adbin, d.adrelid) end) order by a.attnum), '[]')
      from pg_catalog.pg_attribute a
      left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
  order by c.relname`

const foreignKeysSql = `
  select k.conname as name, c.relname as table, t.relname as target,
    (select array_agg(a.attname::text order by u.ordinal) from unnest(k.conkey) with ordinality as u(attnum, ordinal)
      join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.attnum) as columns,
    (select array_agg(a.attname::text order by u.ordinal) from unnest(k.confkey) with ordinality as u(attnum, ordinal)
      join pg_catalog.pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.attnum) as target_columns
  from pg_catalog.pg_constraint k
  join pg_catalog.pg_class c on c.oid = k.conrelid
  join pg_catalog.pg_class t on t.oid = k.confrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_namespace m on m.oid = t.relnamespace
  where k.contype = 'f' and k.conparentid = 0 and n.nspname = $1 and m.nspname = $1
  order by c.relname, k.conname`

const uniqueKeysSql = `
  select c.relname as table, k.contype = 'p' as is_primary,
    (select array_agg(a.attname::text order by a.attnum) from pg_catalog.pg_attribute a
      where a.attrelid = k.conrelid and a.attnum = any(k.conkey)) as columns
  from pg_catalog.pg_constraint k
  join pg_catalog.pg_class c on c.oid = k.conrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where k.contype in ('p', 'u') and n.nspname = $1
  order by c.relname, k.conname`

/**
 * Selects the functions, except trigger, aggregate and window functions, functions of extensions, and functions with
 * unnamed, variadic or inout arguments.
 */
const functionsSql = `
  select p.proname as name, p.proretset as set, p.provolatile = 'v' as may_write,
    case when p.prorettype = 'pg_catalog.void'::regtype then 'void'
      when r.typtype = 'c' or p.proargmodes && '{o,b,t}'::"char"[] then 'rows'
      when p.prorettype in ('pg_catalog.json'::regtype, 'pg_catalog.jsonb'::regtype) then 'json'
      else 'scalar' end as kind,
    (select c.relname from pg_catalog.pg_class c
      where c.oid = r.typrelid and c.relnamespace = n.oid and c.relkind in ('r', 'p', 'v', 'm', 'f')) as returned_relation,
    coalesce((select json_agg(json_build_object('name', p.proargnames[i.ordinal],
        'type', pg_catalog.format_type(p.proargtypes[i.ordinal - 1], null),
        'required', i.ordinal <= p.pronargs - p.pronargdefaults) order by i.ordinal)
      from generate_series(1, p.pronargs) as i(ordinal)), '[]') as args,
    coalesce(case when r.typtype = 'c' then
      (select json_agg(json_build_object('name', a.attname, 'type', pg_catalog.format_type(a.atttypid, a.atttypmod),
          'is_vector', a.atttypid = 'pg_catalog.tsvector'::regtype, 'default', null) order by a.attnum)
        from pg_catalog.pg_attribute a where a.attrelid = r.typrelid and a.attnum > 0 and not a.attisdropped)
      else (select json_agg(json_build_object('name', o.name, 'type', pg_catalog.format_type(o.type, null),
          'is_vector', o.type = 'pg_catalog.tsvector'::regtype, 'default', null) order by o.ordinal)
        from unnest(p.proargnames, p.proargmodes, p.proallargtypes) with ordinality as o(name, mode, type, ordinal)
        where o.mode in ('o', 'b', 't')) end, '[]') as columns
  from pg_catalog.pg_proc p
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  join pg_catalog.pg_type r on r.oid = p.prorettype
  where n.nspname = $1 and p.prokind = 'f' and p.provariadic = 0
    and p.prorettype not in ('pg_catalog.trigger'::regtype, 'pg_catalog.event_trigger'::regtype)
    and (p.pronargs = 0 or (p.proargnames is not null and not '' = any(p.proargnames)))
    and (p.proargmodes is null or not '{b}'::"char"[] && p.proargmodes)
    and not exists (select from pg_catalog.pg_depend e where e.classid = 'pg_catalog.pg_proc'::regclass
      and e.objid = p.oid and e.deptype = 'e')
  order by p.proname, p.pronargs, p.oid`

/**
 * Selects the types that a cast may name: the types of the catalogue and of the schema, except row types, pseudo types,
 * internal types (`reg…`, `pg_…`) and array types. (A cast to an array has `[]` after the type of its elements.)
 */
const typesSql = `
  select t.typname as name from pg_catalog.pg_type t
  join pg_catalog.pg_namespace n on n.oid = t.typnamespace
  where n.nspname in ('pg_catalog', $1) and t.typtype in ('b', 'd', 'e', 'r') and t.typelem = 0 and t.typname !~ '^(reg|pg_)'`
