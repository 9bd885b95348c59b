import type { TableName } from '#web/data/server/tables.ts'

/** Something that a toast shows without an action of the person. */
export interface Notice {
  /**
   * overtaken: a colleague changed the same field after this user, and the colleague's value stays. removed: this user deleted a record that
   * a colleague had just changed. joined: what this user added is a record that was there already. attention: an operation of this user
   * needs attention.
   */
  kind: 'overtaken' | 'removed' | 'joined' | 'attention'
  text: string
  /** A second sentence: the server's message, or the decision to make. */
  detail: string | null
  table: TableName
  /** At least one. */
  rowIds: readonly string[]
  /** The colleague's name, where this device has it. */
  by: string | null
}
