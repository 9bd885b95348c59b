/** The rows of the product as they travel and as they are kept here: timestamps are ISO text, dates `YYYY-MM-DD`, amounts numbers (spec section 3). */
export interface RowStamps {
  id: string
  brand_id: string
  /** Stamp of the writing transaction; only `pull` looks at it. */
  rev: number
  /** Counts the writes of this row; an update names the version it was made on. 0: made here, not yet seen from the server. */
  version: number
  created_at: string
  updated_at: string
  created_by: string | null
  updated_by: string | null
}

export type Role = 'member' | 'admin' | 'owner'
export type TaskPriority = 'low' | 'normal' | 'high' | 'urgent'
export type TaskStatus = 'open' | 'done'

export interface DealStage extends RowStamps {
  name: string
  position: number
  kind: 'open' | 'won' | 'lost'
}

export interface Company extends RowStamps {
  name: string
  domain: string | null
  phone: string | null
  website: string | null
  notes: string | null
  owner_id: string | null
}

export interface Contact extends RowStamps {
  email: string | null
  first_name: string | null
  last_name: string | null
  phone: string | null
  title: string | null
  company_id: string | null
  owner_id: string | null
  import_id: string | null
}

export interface Deal extends RowStamps {
  name: string
  amount: number
  amount_currency: string
  stage_id: string
  expected_close_date: string | null
  contact_id: string | null
  company_id: string | null
  owner_id: string | null
  closed_at: string | null
}

export interface Task extends RowStamps {
  title: string
  due_at: string | null
  priority: TaskPriority
  status: TaskStatus
  contact_id: string | null
  deal_id: string | null
  assignee_id: string | null
  completed_at: string | null
}

/** Who belongs to a brand. `id` is the user's: kept under one key like every other row. */
export interface Membership extends RowStamps {
  user_id: string
  role: Role
  display_name: string | null
}
