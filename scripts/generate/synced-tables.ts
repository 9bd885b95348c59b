import type pg from 'pg'

const heading =
  '/** Written by `npm run generate` from supabase/migrations: the tables that devices store, by their SQL names. Do not edit. */'

/** Returns the content of src/shared/synced-tables.ts, from `private.synced_tables`. `rowName` names a table's row type in src/shared/rows.ts. */
export async function syncedTables(owner: pg.Pool, rowName: (table: string) => string): Promise<string> {
  const { rows } = await owner.query<{ name: string }>('select name from private.synced_tables order by position')
  const names = rows.map(({ name }) => name)
  return `import type { ${names.map(rowName).join(', ')} } from './rows.ts'

${heading}
export interface SyncedRows {
${names.map((name) => `  ${name}: ${rowName(name)}`).join('\n')}
}

/** Names of the synced tables, each after the tables that its foreign keys refer to. */
export const syncedTables = ${JSON.stringify(names)} as const
`
}
