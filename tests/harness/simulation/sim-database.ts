import { query } from '../query.ts'
import { type SimTable, simTables, type SimWorld } from './sim-world.ts'

/** A row of the database, with the columns that decide which lists show it. No table has all of these columns. */
export interface DatabaseRow {
  id: string
  version: number
  owner_id?: string | null
  status?: string
  stage_id?: string
}

/** What the database has of a brand at the end of a life. */
export interface BrandInDatabase {
  /** The rows of each table, newest first. */
  rows: Record<SimTable, DatabaseRow[]>
  notes: { id: string; body: string; pinned: boolean; version: number }[]
  /** The sums of the deals of each stage, ordered by currency. */
  sums: { stage_id: string; currency: string; amount: number }[]
}

const rowsSql = (table: string) =>
  `select coalesce(json_agg(r order by r.created_at desc, r.id), '[]') from public.${table} r where r.brand_id = $1`

const readBrandSql = `
  select json_build_object(${simTables.map((table) => `'${table}', (${rowsSql(table)})`).join()}) as rows, (${rowsSql('notes')}) as notes,
    (select coalesce(json_agg(s), '[]') from (
       select stage_id, amount_currency as currency, sum(amount) as amount from public.deals where brand_id = $1
       group by stage_id, amount_currency order by amount_currency
     ) s) as sums`

/** Reads a brand in one statement, because all devices of a life are compared with it. */
export async function readBrand({ server }: SimWorld, brandId: string): Promise<BrandInDatabase> {
  const [brand] = await query<BrandInDatabase>(server, readBrandSql, brandId)
  if (!brand) throw new Error('A statement that returns one row returned none.')
  return brand
}
