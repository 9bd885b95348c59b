import type { Brand, Membership, DealStage, Company, Contact, Deal, Task, Note, Tag } from './rows.ts'

/** Written by `npm run generate` from supabase/migrations: the tables that devices keep, as SQL calls them. Do not edit. */
export interface SyncedRows {
  brands: Brand
  memberships: Membership
  deal_stages: DealStage
  companies: Company
  contacts: Contact
  deals: Deal
  tasks: Task
  notes: Note
  tags: Tag
}

/** Their names, each after those that it refers to. */
export const syncedTables = [
  'brands',
  'memberships',
  'deal_stages',
  'companies',
  'contacts',
  'deals',
  'tasks',
  'notes',
  'tags',
] as const
