import { fieldOf, listOf, numberOf, textOf } from '#web/lib/read-unknown.ts'
import type { Company, Contact, Deal, DealStage, Membership, Task } from './rows.ts'

/** The row type of each table that is kept on a device. */
export interface TableRows {
  deal_stages: DealStage
  memberships: Membership
  tasks: Task
  deals: Deal
  companies: Company
  contacts: Contact
}

export type TableName = keyof TableRows

/** In the order in which a new device fetches them. What the first screens need comes first. */
export const tableNames: readonly TableName[] = [
  'deal_stages',
  'memberships',
  'tasks',
  'deals',
  'companies',
  'contacts',
]

/** The columns that all kept rows have. */
export interface AnyRow {
  id: string
  brand_id: string
  version: number
  rev: number
  updated_at: string
  updated_by: string | null
}

export function isTableName(name: string): name is TableName {
  return tableNames.some((table) => table === name)
}

/** The rows that a reply of the server holds. */
export function rowsIn(data: unknown): AnyRow[] {
  return listOf(data).filter(isRow)
}

function isRow(value: unknown): value is AnyRow {
  const updatedBy = fieldOf(value, 'updated_by')
  return (
    ['id', 'brand_id', 'updated_at'].every((name) => textOf(value, name) !== null) &&
    ['version', 'rev'].every((name) => numberOf(value, name) !== null) &&
    (updatedBy === null || typeof updatedBy === 'string')
  )
}
