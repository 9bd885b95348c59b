import type { Membership as StoredMembership, Note, Task } from '#shared/rows.ts'

/** The rows of the product as this device stores them: timestamps are ISO texts, dates `YYYY-MM-DD`, amounts numbers (spec section 3). */
export type {
  Company,
  Contact,
  CustomField,
  Deal,
  DealContact,
  DealStage,
  Note,
  Pipeline,
  Tag,
  Task,
} from '#shared/rows.ts'

/** A membership. Its `id` is the user's id, so that a membership has a single key, like every other row. */
export type Membership = StoredMembership & {
  id: string
  /** Null if somebody else added the member, who has not opened the brand yet. Missing on a backend that does not record openings. */
  opened_at?: string | null
}

export type { Role } from '#shared/roles.ts'
export type NoteKind = Note['kind']
export type TaskPriority = Task['priority']
export type TaskStatus = Task['status']
