import type { TableName } from '#web/data/server/tables.ts'

export type OperationIcon = 'move' | 'edit' | 'contact' | 'company' | 'deal' | 'task' | 'delete' | 'restore'

/** Two people changed the same field: values as they are stored. */
export interface FieldConflict {
  field: string
  base: unknown
  mine: unknown
  theirs: unknown
}

/** A change that the server has not confirmed: kept strictly on this device until it has answered. operation-shape.ts has its versions. */
export interface Operation {
  /** Order of sending; given by the outbox. */
  seq: number
  /** Travels as `Idempotency-Key`: the server applies it once. */
  id: string
  userId: string
  brandId: string
  table: TableName
  /** Made by the client; an RPC may answer another one, which then replaces it everywhere. */
  rowId: string
  /** update-all, delete and restore: all their rows, `rowId` is the first of them. */
  rowIds?: readonly string[]
  /**
   * insert: a row. update: fields of a row. call: an RPC that makes a row. update-all: the same fields of many rows, in one request; the last
   * write stands. delete: rows, in one request. restore: deleted rows come back, with their links.
   */
  kind: 'insert' | 'update' | 'call' | 'update-all' | 'delete' | 'restore'
  /** What is sent (insert: the row; update: the patch). Empty for a call. */
  values: Record<string, unknown>
  call: { name: string; args: Record<string, unknown> } | null
  /** What screens see meanwhile: fields laid over the row, for a new row all of them. */
  preview: Record<string, unknown>
  /** Restore: the rows as they were, by id, as far as they are remembered here. */
  restored?: Readonly<Record<string, Record<string, unknown>>>
  /** Update: what the patched fields were when it was made. */
  base: Record<string, unknown>
  /** Many rows: what was known of each when it was made: the patched fields (update-all), the version (delete). */
  bases?: Readonly<Record<string, Record<string, unknown>>>
  /** Update: the version it was made on; 0 when the server's is not known yet. */
  version: number
  /** Update: a field like the stage, where the last write stands and nobody is asked. */
  lastWriteStands: boolean
  /** When it was made, in the server's idea of time. */
  at: string
  /** It was made online: the screen waits some seconds for the answer. */
  awaited?: boolean
  /** Ready to show: 'Move “Data migration” to Proposal'. */
  title: string
  icon: OperationIcon
  /**
   * waiting: will be sent. failed: refused by the server. conflict: the user is asked. deleted: the row is gone. newer: written by a newer
   * version of the app; stays as it is stored.
   */
  state: 'waiting' | 'failed' | 'conflict' | 'deleted' | 'newer'
  reason: string | null
  code: string | null
  conflicts: readonly FieldConflict[]
  theirsAt: string | null
  theirsBy: string | null
}

/** The rows that an operation writes. */
export function rowsOf(operation: Operation): readonly string[] {
  return operation.rowIds ?? [operation.rowId]
}

/** Whether both write one and the same row. */
export function shareRow(one: Operation, other: Operation): boolean {
  if (!one.rowIds && !other.rowIds) return one.rowId === other.rowId
  const ids = new Set(rowsOf(one))
  return rowsOf(other).some((id) => ids.has(id))
}

/** Whether it changes rows that are there already. */
export function editsRows(operation: Operation): boolean {
  return operation.kind === 'update' || operation.kind === 'update-all'
}

/** Whether later operations on its rows make no sense without it. */
export function makesRows(operation: Operation): boolean {
  return operation.kind === 'insert' || operation.kind === 'call' || operation.kind === 'restore'
}

/** Whether the operation concerns that row or names it in what it sends (a deal of a contact that is not made yet). */
export function concerns(operation: Operation, rowId: string): boolean {
  if (operation.rowId === rowId || operation.rowIds?.includes(rowId)) return true
  return names(operation.values, rowId) || names(operation.call?.args ?? {}, rowId)
}

/** The same operation with one row id replaced by another one, wherever it stands. */
export function withRowId(operation: Operation, from: string, to: string): Operation {
  return {
    ...operation,
    rowId: operation.rowId === from ? to : operation.rowId,
    ...(operation.rowIds && { rowIds: operation.rowIds.map((id) => (id === from ? to : id)) }),
    ...(operation.restored && { restored: renamed(operation.restored, from, to) }),
    ...(operation.bases && { bases: renamed(operation.bases, from, to) }),
    values: replaced(operation.values, from, to),
    preview: replaced(operation.preview, from, to),
    base: replaced(operation.base, from, to),
    call: operation.call && { ...operation.call, args: replaced(operation.call.args, from, to) },
  }
}

function names(values: Record<string, unknown>, rowId: string): boolean {
  return Object.values(values).includes(rowId)
}

function replaced(values: Record<string, unknown>, from: string, to: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value === from ? to : value]))
}

/** The kept rows under the other id: an offline 'Add', 'Delete' and 'Undo' of a contact whose e-mail the server had. */
function renamed(
  rows: Readonly<Record<string, Record<string, unknown>>>,
  from: string,
  to: string,
): Record<string, Record<string, unknown>> {
  return Object.fromEntries(Object.entries(rows).map(([id, row]) => [id === from ? to : id, replaced(row, from, to)]))
}
