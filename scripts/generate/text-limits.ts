import type pg from 'pg'

const heading =
  '/** Written by `npm run generate` from supabase/migrations: the maximum number of characters (Unicode code points) of texts in tables to which signed-in users may write. Do not edit. */'

/**
 * Returns the content of src/shared/limits.ts, from checks such as `length(name) <= 200` on tables that a signed-in user may write to. Throws
 * if a check of a length has another form.
 */
export async function textLimits(owner: pg.Pool): Promise<string> {
  const { rows } = await owner.query<{ table: string; column: string; definition: string }>(`
    select c.conrelid::regclass as table, a.attname as column, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'c' and c.connamespace = 'public'::regnamespace and pg_get_constraintdef(c.oid) like '%length(%'
      and has_any_column_privilege('authenticated', c.conrelid, 'insert, update')
    order by c.conrelid::regclass::text, a.attnum`)
  const limits: Record<string, Record<string, number>> = {}
  for (const { table, column, definition } of rows) {
    const maxLength = /length\([^()]*\) <= (\d+)/.exec(definition)?.[1]
    if (maxLength === undefined)
      throw new Error(`The maximum length of ${table}.${column} cannot be read from: ${definition}`)
    limits[table] = { ...limits[table], [column]: Number(maxLength) }
  }
  return `${heading}\nexport const limits = ${JSON.stringify(limits)} as const\n`
}
