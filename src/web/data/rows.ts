import type * as stored from '#shared/rows.ts'

/** The rows of the product as they are kept here: timestamps are ISO text, dates `YYYY-MM-DD`, amounts numbers (spec section 3). */
export type Company = stored.Company
export type Contact = stored.Contact
export type Deal = stored.Deal
export type DealStage = stored.DealStage
export type Task = stored.Task

/** Who belongs to a brand. `id` is the user's: kept under one key like every other row. */
export type Membership = stored.Membership & { id: string }

export type Role = Membership['role']
export type TaskPriority = Task['priority']
export type TaskStatus = Task['status']
