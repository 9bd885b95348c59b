import type { AnyRow, TableName } from '#web/data/server/tables.ts'
import { isSetEdit } from './set-edit.ts'

export type OperationIcon =
  | 'move'
  | 'edit'
  | 'add'
  | 'contact'
  | 'company'
  | 'deal'
  | 'task'
  | 'tag'
  | 'delete'
  | 'restore'

/**
 * A field that two people changed, and its values in the form in which they are stored: before both changes (`base`), by this user (`mine`)
 * and on the server (`theirs`).
 */
export interface FieldConflict {
  field: string
  base: unknown
  mine: unknown
  theirs: unknown
}

/**
 * An edit of the user that waits to be sent, for its response, or for a decision of the user. It is stored on this device. operation-shape.ts
 * lists the versions of this type.
 */
export interface Operation {
  /** The position in the order of sending. The outbox assigns it. */
  seq: number
  /** Sent as `Idempotency-Key`, so that the server applies the operation once. */
  id: string
  userId: string
  brandId: string
  table: TableName
  /** The id of the row, which the client generates. An RPC may return the id of another row, which then replaces this id everywhere. */
  rowId: string
  /** The ids of all rows, for update-all, delete and restore. `rowId` is the first of them. */
  rowIds?: readonly string[]
  /**
   * insert: creates a row. update: sets fields of a row. call: an RPC that creates or finds a row. update-all: sets the same fields of many rows in
   * one request; the last write wins, and a `SetEdit` adds and removes ids in the set of each row. delete: deletes rows in one request.
   * restore: restores deleted rows with their links.
   */
  kind: 'insert' | 'update' | 'call' | 'update-all' | 'delete' | 'restore'
  /** The row for an insert, the patch for an update or update-all. Empty for a call, a delete and a restore. */
  values: Record<string, unknown>
  call: { name: string; args: Record<string, unknown> } | null
  /** The fields that screens show until the server answers. For a new row, these are all its fields. */
  preview: Record<string, unknown>
  /** Only for a restore: the deleted rows by id, as far as this tab still has them. */
  restored?: Readonly<Record<string, Record<string, unknown>>>
  /**
   * The rows that the server will create (with their preview) or delete (null) because of the edit, by id. For example, when a task of a
   * series is completed, the server creates the next task.
   */
  also?: Readonly<Record<string, AnyRow | null>>
  /** Only for an update: the values that the fields of `preview` had before the edit. */
  base: Record<string, unknown>
  /**
   * For operations on many rows, by row id: the values that the fields of `preview` had before the edit (update-all), or the version of the row
   * (delete).
   */
  bases?: Readonly<Record<string, Record<string, unknown>>>
  /** Only for an update: the version of the row before the edit. 0 if it is not known yet. */
  version: number
  /** Only for an update: true if it changes only fields like the stage. In these fields the last write wins, and the user is not asked. */
  lastWriteStands: boolean
  /** True for an undo or a redo. If another person changed the same field meanwhile, that person's value stays. */
  givesWay?: boolean
  /** The time of the edit, by the server's clock. */
  at: string
  /** True if the edit was made online: the screen then waits some seconds for the answer. */
  awaited?: boolean
  /** A readable title of the operation: 'Move “Data migration” to Proposal'. */
  title: string
  icon: OperationIcon
  /**
   * waiting: will be sent. failed: refused by the server. conflict: the user is asked. deleted: the row was deleted. newer: written by a newer
   * version of the app; not sent and not changed.
   */
  state: 'waiting' | 'failed' | 'conflict' | 'deleted' | 'newer'
  /** Why the operation was not applied, in a sentence, and the code of the server's refusal. Null if there is none. */
  reason: string | null
  code: string | null
  conflicts: readonly FieldConflict[]
  /**
   * For a conflict or a deleted row: when the other person changed or deleted it, and the id of that user, or the user's own id after a change on
   * another device. While an update waits: the other change of the row that this device saw before its own last write. Null if not known.
   */
  theirsAt: string | null
  theirsBy: string | null
}

/** Returns the ids of all rows that an operation writes. */
export function rowIdsOf(operation: Pick<Operation, 'rowId' | 'rowIds'>): readonly string[] {
  return operation.rowIds ?? [operation.rowId]
}

/**
 * Returns the ids of the rows that later operations cannot use before this one is applied: the rows that it creates or restores. For any other
 * operation, these are the rows that the server creates or deletes because of it (`also`).
 */
export function blockedRowIdsOf(operation: Operation): readonly string[] {
  return createsRows(operation) ? rowIdsOf(operation) : Object.keys(operation.also ?? {})
}

/** Whether there is a row that both operations write. */
export function haveCommonRow(one: Operation, other: Operation): boolean {
  if (!one.rowIds && !other.rowIds) return one.rowId === other.rowId
  const ids = new Set(rowIdsOf(one))
  return rowIdsOf(other).some((id) => ids.has(id))
}

/** Whether the operation sets fields of rows that exist already. False for a delete. */
export function editsRows(operation: Pick<Operation, 'kind'>): boolean {
  return operation.kind === 'update' || operation.kind === 'update-all'
}

/** Whether the operation creates or restores its rows. */
export function createsRows(operation: Pick<Operation, 'kind'>): boolean {
  return operation.kind === 'insert' || operation.kind === 'call' || operation.kind === 'restore'
}

/**
 * Whether the operation writes this row, or refers to it in its values or arguments. For example, a deal refers to a contact that is not
 * created yet.
 */
export function refersToRow(operation: Operation, rowId: string): boolean {
  if (operation.rowId === rowId || operation.rowIds?.includes(rowId)) return true
  return refersTo(operation.values, rowId) || refersTo(operation.call?.args ?? {}, rowId)
}

/** Returns a copy of the operation in which the row id `to` replaces the row id `from`, except in `also`. */
export function withRowId(operation: Operation, from: string, to: string): Operation {
  return {
    ...operation,
    rowId: operation.rowId === from ? to : operation.rowId,
    ...(operation.rowIds && { rowIds: operation.rowIds.map((id) => (id === from ? to : id)) }),
    ...(operation.restored && { restored: withKeyReplaced(operation.restored, from, to) }),
    ...(operation.bases && { bases: withKeyReplaced(operation.bases, from, to) }),
    values: withIdReplaced(operation.values, from, to),
    preview: withIdReplaced(operation.preview, from, to),
    base: withIdReplaced(operation.base, from, to),
    call: operation.call && { ...operation.call, args: withIdReplaced(operation.call.args, from, to) },
  }
}

function refersTo(values: Record<string, unknown>, rowId: string): boolean {
  return Object.values(values).some(
    (value) =>
      value === rowId ||
      (Array.isArray(value) && value.includes(rowId)) ||
      (isSetEdit(value) && (value.add.includes(rowId) || value.remove.includes(rowId))),
  )
}

function withIdReplaced(values: Record<string, unknown>, from: string, to: string): Record<string, unknown> {
  const replacedId = (id: unknown) => (id === from ? to : id)
  const replaced = (value: unknown) => {
    if (Array.isArray(value)) return value.map(replacedId)
    return isSetEdit(value)
      ? { add: value.add.map(replacedId), remove: value.remove.map(replacedId) }
      : replacedId(value)
  }
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, replaced(value)]))
}

/**
 * Replaces the row id also where it is a key of `bases` or `restored`. Needed after an offline 'Add', 'Delete' and 'Undo' of a contact
 * whose email address already exists on the server.
 */
function withKeyReplaced(
  rows: Readonly<Record<string, Record<string, unknown>>>,
  from: string,
  to: string,
): Record<string, Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(rows).map(([id, row]) => [id === from ? to : id, withIdReplaced(row, from, to)]),
  )
}
