import type { Client } from 'pg'
import { productRelationCondition, quotedTableName } from './backup.ts'

interface FoundTable {
  schema: string
  name: string
  /** Whether the owner role may read the table. */
  readable: boolean
}

/** The schemas in which a start of the server writes rows. */
const serverSchemas = ['server', 'auth', 'realtime', 'private']

/**
 * Throws an error that says what to do if the database has tables. If they are only what a start of the server creates, the error contains the
 * statements that empty the database. They are not run here, because a table of another program may be among them.
 */
export async function assertEmpty(client: Client): Promise<void> {
  const { rows: tables } = await client.query<FoundTable>(
    `select n.nspname as schema, c.relname as name,
            has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select') as readable
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and c.relpersistence <> 't' and ${productRelationCondition('c')} order by 1, 2`,
  )
  const [first] = tables
  if (first === undefined) return
  if (await isUnused(client, tables)) throw await unusedDatabaseError(client)
  throw new Error(
    `The database is not empty (it has the table ${first.schema}.${first.name}). Restore into a new one: \`create database\` creates it.`,
  )
}

/** Whether the server has created these tables, and nobody has used them: there is no account, and no row outside of the server's schemas. */
async function isUnused(client: Client, tables: readonly FoundTable[]): Promise<boolean> {
  const names = new Set(tables.map(({ schema, name }) => `${schema}.${name}`))
  if (!names.has('server.migrations') || !names.has('auth.users')) return false
  for (const table of tables) {
    if (serverSchemas.includes(table.schema) && !(table.schema === 'auth' && table.name === 'users')) continue
    const { rowCount } = await client.query(`select from ${quotedTableName(table)} limit 1`)
    if (rowCount) return false
  }
  return true
}

async function unusedDatabaseError(client: Client): Promise<Error> {
  const { rows } = await client.query<{ name: string; owner: string; other: string }>(
    `select quote_ident(datname) as name, quote_ident(pg_get_userbyid(datdba)) as owner,
            case datname when 'postgres' then 'template1' else 'postgres' end as other
     from pg_database where datname = current_database()`,
  )
  const { name = '', owner = '', other = '' } = rows[0] ?? {}
  return new Error(
    `The database ${name} is not empty: a server was started on it, but nobody has an account in it. ` +
      `Stop this server. If no other program uses the database, connect to the database ${other} of the same PostgreSQL, and run ` +
      `\`drop database ${name};\` and \`create database ${name} owner ${owner};\`. Then restore again.`,
  )
}
