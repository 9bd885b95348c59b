/** Written by `npm run generate` from supabase/migrations: the types of rows, as JSON contains them. Do not edit. */

export interface AmountChange {
  brand_id: string
  id: number
  deal_id: string
  from_amount: number
  from_currency: string
  to_amount: number
  to_currency: string
  changed_by: string | null
  changed_at: string
}

export interface Brand {
  id: string
  name: string
  slug: string
  rev: number
  version: number
  created_at: string
  updated_at: string
  created_by: string | null
  updated_by: string | null
  requires_second_factor: boolean
}

export interface Company {
  brand_id: string
  id: string
  name: string
  domain: string | null
  phone: string | null
  website: string | null
  notes: string | null
  owner_id: string | null
  rev: number
  version: number
  created_at: string
  updated_at: string
  created_by: string | null
  updated_by: string | null
  tag_ids: string[]
  custom: Record<string, unknown>
}

export interface Contact {
  brand_id: string
  id: string
  first_name: string | null
  last_name: string | null
  email: string | null
  phone: string | null
  title: string | null
  company_id: string | null
  owner_id: string | null
  import_id: string | null
  /** `pull` leaves it out. */
  email_norm?: string | null
  rev: number
  version: number
  created_at: string
  updated_at: string
  created_by: string | null
  updated_by: string | null
  tag_ids: string[]
  custom: Record<string, unknown>
}

export interface CustomField {
  brand_id: string
  id: string
  table: 'contacts' | 'companies' | 'deals'
  key: string
  label: string
  type: 'text' | 'long_text' | 'number' | 'money' | 'date' | 'yes_no' | 'choice' | 'choices' | 'link'
  options: { id: string; label: string; retired?: boolean }[]
  currency: string | null
  position: number
  required: boolean
  retired_at: string | null
  rev: number
  version: number
  created_at: string
  updated_at: string
  created_by: string | null
  updated_by: string | null
}

export interface Deal {
  brand_id: string
  id: string
  name: string
  amount: number
  amount_currency: string
  stage_id: string
  expected_close_date: string | null
  contact_id: string | null
  company_id: string | null
  owner_id: string | null
  closed_at: string | null
  rev: number
  version: number
  created_at: string
  updated_at: string
  created_by: string | null
  updated_by: string | null
  tag_ids: string[]
  custom: Record<string, unknown>
  stage_since: string
  lost_reason: string | null
}

export interface DealContact {
  brand_id: string
  id: string
  deal_id: string
  contact_id: string
  role: 'decides' | 'pays' | 'uses'
  rev: number
  version: number
  created_at: string
  updated_at: string
  created_by: string | null
  updated_by: string | null
}

export interface DealStage {
  brand_id: string
  id: string
  name: string
  position: number
  kind: 'open' | 'won' | 'lost'
  rev: number
  version: number
  created_at: string
  updated_at: string
  created_by: string | null
  updated_by: string | null
  pipeline_id: string
  color: 'grey' | 'slate' | 'blue' | 'violet' | 'amber' | 'green' | 'red' | null
  probability: number | null
  usual_days: number | null
}

export interface DealStageChange {
  brand_id: string
  id: number
  deal_id: string
  from_stage_id: string | null
  to_stage_id: string
  changed_by: string | null
  changed_at: string
}

export interface FieldChange {
  brand_id: string
  id: number
  table_name: string
  record_id: string
  column_name: string
  from_value: string | null
  to_value: string | null
  changed_by: string | null
  changed_at: string
}

export interface Invitation {
  brand_id: string
  id: string
  email: string
  role: 'member' | 'admin' | 'owner'
  invited_by: string | null
  created_at: string
  sent_at: string | null
  expires_at: string
}

export interface Membership {
  brand_id: string
  user_id: string
  role: 'member' | 'admin' | 'owner'
  display_name: string
  rev: number
  version: number
  created_at: string
  updated_at: string
  created_by: string | null
  updated_by: string | null
  opened_at: string | null
}

export interface Note {
  brand_id: string
  id: string
  kind: 'note' | 'call' | 'meeting' | 'email'
  body: string
  author_id: string | null
  occurred_at: string
  contact_id: string | null
  company_id: string | null
  deal_id: string | null
  pinned: boolean
  rev: number
  version: number
  created_at: string
  updated_at: string
  created_by: string | null
  updated_by: string | null
}

export interface Notification {
  brand_id: string
  id: string
  user_id: string
  kind: 'assigned' | 'deal_moved' | 'member_joined' | 'mentioned' | 'task_due' | 'import_ended' | 'added_to_brand'
  record_table: 'contacts' | 'companies' | 'deals' | 'tasks' | null
  record_id: string | null
  title: string
  detail: string | null
  is_many: boolean
  actor_id: string | null
  inbox_id: string
  created_at: string
  read_at: string | null
  note_id: string | null
}

export interface Pipeline {
  brand_id: string
  id: string
  name: string
  position: number
  lost_reasons: string[]
  rev: number
  version: number
  created_at: string
  updated_at: string
  created_by: string | null
  updated_by: string | null
}

export interface Tag {
  brand_id: string
  id: string
  name: string
  color: 'grey' | 'red' | 'orange' | 'yellow' | 'green' | 'teal' | 'blue' | 'indigo' | 'purple' | 'pink'
  rev: number
  version: number
  created_at: string
  updated_at: string
  created_by: string | null
  updated_by: string | null
}

export interface Task {
  brand_id: string
  id: string
  title: string
  due_at: string | null
  priority: 'low' | 'normal' | 'high' | 'urgent'
  status: 'open' | 'done'
  contact_id: string | null
  deal_id: string | null
  assignee_id: string | null
  completed_at: string | null
  rev: number
  version: number
  created_at: string
  updated_at: string
  created_by: string | null
  updated_by: string | null
  repeats: string | null
}
