import type pg from 'pg'

/** SQL condition: the schema is none of PostgreSQL's own. */
const isOurs = `n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_'`
/** SQL condition: the object belongs to no extension. */
const isOfNoExtension = (kind: string, alias: string) =>
  `not exists (select from pg_depend e where e.classid = '${kind}'::regclass and e.objid = ${alias}.oid and e.deptype = 'e')`
/** SQL for the rights of an object as text. They are sorted, so that the order of the grants does not matter. */
const rights = (acl: string) =>
  `coalesce((select string_agg(a::text, ' ' order by a::text) from unnest(${acl}) a), '-')`

/** Each query returns a `name` that is unique in its result, and a `definition`. */
const queries: Record<string, string> = {
  schema: `select n.nspname as name, ${rights('n.nspacl')} as definition from pg_namespace n where ${isOurs}`,
  extension: `select extname as name, n.nspname as definition from pg_extension x join pg_namespace n on n.oid = x.extnamespace`,
  relation: `
    select n.nspname || '.' || c.relname as name, concat_ws(' | ', c.relkind, c.relpersistence, pg_get_userbyid(c.relowner),
      c.relrowsecurity, c.relforcerowsecurity, c.relreplident, c.reloptions, ${rights('c.relacl')}) as definition
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${isOurs} and ${isOfNoExtension('pg_class', 'c')} and c.relkind <> 't'`,
  column: `
    select n.nspname || '.' || c.relname || '.' || a.attname as name,
      concat_ws(' | ', a.attnum, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attcollation::regcollation, a.attidentity,
        a.attgenerated, pg_get_expr(d.adbin, d.adrelid), ${rights('a.attacl')}) as definition
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where ${isOurs} and ${isOfNoExtension('pg_class', 'c')} and a.attnum > 0 and not a.attisdropped and c.relkind <> 't'`,
  constraint: `
    select coalesce(c.conrelid::regclass::text, c.contypid::regtype::text) || ' ' || c.conname as name,
      concat_ws(' | ', pg_get_constraintdef(c.oid), c.convalidated, c.condeferrable, c.condeferred) as definition
    from pg_constraint c join pg_namespace n on n.oid = c.connamespace where ${isOurs} and ${isOfNoExtension('pg_constraint', 'c')}`,
  index: `
    select n.nspname || '.' || i.indexrelid::regclass as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace where ${isOurs}`,
  trigger: `
    select t.tgrelid::regclass || ' ' || t.tgname as name, pg_get_triggerdef(t.oid) || ' | ' || t.tgenabled::text as definition
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
    where ${isOurs} and not t.tgisinternal`,
  policy: `
    select format('%I.%I %I', schemaname, tablename, policyname) as name,
      concat_ws(' | ', permissive, roles::text, cmd, coalesce(qual, '-'), coalesce(with_check, '-')) as definition from pg_policies`,
  function: `
    select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) || pg_get_userbyid(p.proowner) || ' | ' || ${rights('p.proacl')} as definition
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${isOurs} and ${isOfNoExtension('pg_proc', 'p')} and p.prokind in ('f', 'p')`,
  type: `
    select t.oid::regtype::text as name, concat_ws(' | ', t.typtype, format_type(t.typbasetype, t.typtypmod), ${rights('t.typacl')},
      (select string_agg(e.enumlabel, ', ' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid)) as definition
    from pg_type t join pg_namespace n on n.oid = t.typnamespace where ${isOurs} and ${isOfNoExtension('pg_type', 't')} and t.typelem = 0`,
  publication: `
    select pubname || ' ' || schemaname || '.' || tablename as name, concat_ws(' | ', attnames, rowfilter) as definition
    from pg_publication_tables`,
  'publication itself': `
    select pubname as name, concat_ws(' | ', puballtables, pubinsert, pubupdate, pubdelete, pubtruncate) as definition from pg_publication`,
  comment: `
    select concat_ws(' ', d.classoid::regclass, pg_describe_object(d.classoid, d.objoid, d.objsubid)) as name, d.description as definition
    from pg_description d
    where d.objoid >= 16384 and d.classoid <> 'pg_extension'::regclass
      and not exists (select from pg_depend e where e.classid = d.classoid and e.objid = d.objoid and e.deptype = 'e')`,
  'default rights': `
    select concat_ws(' ', pg_get_userbyid(defaclrole), defaclnamespace::regnamespace, defaclobjtype) as name,
      ${rights('defaclacl')} as definition from pg_default_acl`,
  'table that devices keep': `select name, concat_ws(' | ', position, key_column, brand_column, kept_back) as definition from private.synced_tables`,
}

/**
 * Returns all definitions of the migrations as text, by kind and name. Two databases with the same migrations on one PostgreSQL have equal
 * results. The result contains no rows, except the list of tables that devices store.
 */
export async function readCatalogue(owner: pg.Pool): Promise<Record<string, string>> {
  const definitions: [string, string][] = []
  for (const [kind, text] of Object.entries(queries)) {
    const { rows } = await owner.query<{ name: string; definition: string | null }>(text)
    definitions.push(...rows.map(({ name, definition }): [string, string] => [`${kind} ${name}`, definition ?? '']))
  }
  return Object.fromEntries(definitions.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
