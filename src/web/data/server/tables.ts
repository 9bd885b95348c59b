import type { Company, Contact, Deal, DealStage, Membership, Task } from './rows.ts'

/** The rows of each table that is kept on this device, one brand at a time. */
export interface TableRows {
  deal_stages: DealStage
  memberships: Membership
  tasks: Task
  deals: Deal
  companies: Company
  contacts: Contact
}

export type TableName = keyof TableRows

/** In the order in which a new device fetches them: what the first screens need comes first. */
export const tableNames: readonly TableName[] = [
  'deal_stages',
  'memberships',
  'tasks',
  'deals',
  'companies',
  'contacts',
]

/** Any row that is kept here. */
export interface AnyRow {
  id: string
  brand_id: string
  version: number
  rev: number
  updated_at: string
  updated_by: string | null
}
