import type { TableName } from '#web/data/server/tables.ts'

/** A message about the result of an earlier operation. A toast shows it when the result arrives, without an action of the user. */
export interface Notice {
  /**
   * overtaken: a colleague changed the same field after this user, and the colleague's value stays. deleted-here: this user deleted a record that
   * a colleague had just changed. merged: the record that this user added already existed. attention: an operation of this user needs
   * attention.
   */
  kind: 'overtaken' | 'deleted-here' | 'merged' | 'attention'
  text: string
  /** A second sentence: the server's message, or the decision that the user has to make. */
  detail: string | null
  table: TableName
  /** The ids of the records that the notice is about: at least one. */
  rowIds: readonly string[]
  /** The colleague's name. Null for 'merged' and 'attention', for several colleagues, or if this device does not have the name. */
  by: string | null
}
