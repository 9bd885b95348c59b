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
