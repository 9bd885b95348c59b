import type { Client } from 'pg'
import { productRelationCondition } from './backup.ts'

/**
 * Throws an error that says what to do if the database has tables. The error contains the statement that creates another database. It contains none
 * that empties this one, because nothing here can know whether somebody needs its tables.
 */
export async function assertEmpty(client: Client): Promise<void> {
  const { rows } = await client.query<{ found: string; statement: string }>(
    `select n.nspname || '.' || c.relname as found,
            format('create database %I owner %I;', left(current_database(), 55) || '_new', current_user) as statement
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and c.relpersistence <> 't' and ${productRelationCondition('c')} order by 1 limit 1`,
  )
  const [table] = rows
  if (table === undefined) return
  throw new Error(
    `The database is not empty (it has the table ${table.found}). A start of the server creates tables, too. ` +
      `Restore into a new database: run \`${table.statement}\` as an administrator of PostgreSQL, and set DATABASE_URL to it.`,
  )
}
