import type { Pool } from 'pg'
import { changesOfSql } from './change-sql.ts'
import { type Mutant, toMutants } from './mutant.ts'

/** The final definition of a function, with its signature. */
export interface SqlFunction {
  signature: string
  definition: string
}

/** Returns the functions and procedures in SQL and PL/pgSQL that exist after all migrations, without those of extensions. */
export async function sqlFunctions(owner: Pool): Promise<SqlFunction[]> {
  const { rows } = await owner.query<SqlFunction>(`
    select n.nspname || '.' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' as signature,
           pg_get_functiondef(p.oid) as definition
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_language l on l.oid = p.prolang
    where n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_temp%'
      and l.lanname in ('sql', 'plpgsql') and p.prokind in ('f', 'p')
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by 1`)
  return rows
}

/** Returns the mutants of a function's body. If the function is `security definer`, one more mutant removes these words. */
export function sqlMutants({ signature, definition }: SqlFunction): Mutant[] {
  const quote = /\bAS (\$\w*\$)/.exec(definition)
  const bodyAt = quote ? quote.index + quote[0].length : definition.length
  const bodyEnd = quote ? definition.lastIndexOf(quote[1] ?? '') : definition.length
  const changes = changesOfSql(definition.slice(bodyAt, bodyEnd)).map((change) => ({
    ...change,
    start: change.start + bodyAt,
    end: change.end + bodyAt,
    block: null,
  }))
  const definerAt = definition.slice(0, bodyAt).indexOf('SECURITY DEFINER')
  if (definerAt >= 0)
    changes.push({ start: definerAt, end: definerAt + 'SECURITY DEFINER'.length, to: '', block: null })
  return toMutants('sql', signature, definition, changes)
}
