import type {
  Brand,
  Membership,
  Pipeline,
  DealStage,
  Company,
  Contact,
  Deal,
  Task,
  Note,
  Tag,
  CustomField,
  DealContact,
} from './rows.ts'

/** Written by `npm run generate` from supabase/migrations: the tables that devices store, by their SQL names. Do not edit. */
export interface SyncedRows {
  brands: Brand
  memberships: Membership
  pipelines: Pipeline
  deal_stages: DealStage
  companies: Company
  contacts: Contact
  deals: Deal
  tasks: Task
  notes: Note
  tags: Tag
  custom_fields: CustomField
  deal_contacts: DealContact
}

/** Names of the synced tables, each after the tables that its foreign keys refer to. */
export const syncedTables = [
  'brands',
  'memberships',
  'pipelines',
  'deal_stages',
  'companies',
  'contacts',
  'deals',
  'tasks',
  'notes',
  'tags',
  'custom_fields',
  'deal_contacts',
] as const
