import type { ClientBase, Pool } from 'pg'

/** Throws an error that says what to do if the database lacks this table (`schema.name`) of the server: it is probably another database. */
export async function assertHasTable(database: ClientBase | Pool, table: string): Promise<void> {
  const { rows } = await database.query<{ name: string; found: string | null }>(
    'select current_database() as name, to_regclass($1) as found',
    [table],
  )
  const [row] = rows
  if (row?.found) return
  throw new Error(
    `The database ${row?.name} has no tables of Banyan CRM. Set DATABASE_URL and DATA_DIR as for the server, which creates the tables at its first start.`,
  )
}
