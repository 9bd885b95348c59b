import type { Membership as StoredMembership, Task } from '#shared/rows.ts'

/** The rows of the product as they are kept here: timestamps are ISO text, dates `YYYY-MM-DD`, amounts numbers (spec section 3). */
export type { Company, Contact, Deal, DealStage, Task } from '#shared/rows.ts'

/** Who belongs to a brand. `id` is the user's: kept under one key like every other row. */
export type Membership = StoredMembership & {
  id: string
  /** Null: somebody else added them, and they have not opened the brand. A backend that knows no opening has no such column. */
  opened_at?: string | null
}

export type { Role } from '#shared/roles.ts'
export type TaskPriority = Task['priority']
export type TaskStatus = Task['status']
