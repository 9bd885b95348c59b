import type { TableName } from '#web/data/server/tables.ts'

/** A message that a toast shows although the user did nothing just now. */
export interface Notice {
  /**
   * overtaken: a colleague changed the same field after this user, and the colleague's value stays. removed: this user deleted a record that
   * a colleague had just changed. joined: the record that this user added already existed. attention: an operation of this user needs
   * attention.
   */
  kind: 'overtaken' | 'removed' | 'joined' | 'attention'
  text: string
  /** A second sentence: the server's message, or the decision to make. */
  detail: string | null
  table: TableName
  /** At least one id. */
  rowIds: readonly string[]
  /** The colleague's name. Null if this device does not have it. */
  by: string | null
}
