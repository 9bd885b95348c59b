import { tableNames } from '#web/data/server/tables.ts'
import { type Operation, rowIdsOf } from './operation.ts'

/** An operation as it is stored. It may still have fields of earlier shapes. */
export type StoredOperation = Operation & {
  /**
   * The version of the type `Operation` when this operation was stored. If absent, the version is 0. (`version` is the version of the row.)
   */
  shape?: number
  /** Only in shape 0: true for a delete that may have reached the server. */
  tried?: boolean
}

/**
 * The functions that upgrade a stored operation. Each upgrades it to the next shape; the first one upgrades from shape 0 to 1. Add a
 * function at the end whenever the type `Operation` changes, also if only a `kind` is added or a field gets a new meaning. No function changes
 * seq, id, userId, brandId, table, rowId, rowIds, title or at, because older versions of the app read them.
 */
const upgrades: readonly ((stored: StoredOperation) => StoredOperation)[] = [
  from0To1,
  // Shape 2 adds `givesWay`. Shape 3 adds the icon 'tag', and `SetEdit` as a value in operations on many rows. Shape 4 adds values of custom fields,
  // 'custom.<id>'. Shape 5 adds `also`. Earlier operations have none of these, so they stay as they are.
  asItIs,
  asItIs,
  asItIs,
  asItIs,
]

/** The shape that this version of the app reads and writes. */
export const operationShape = upgrades.length

/** Whether a newer version of the app has stored the operation. This version neither sends nor rewrites it. */
export function isOfNewerShape({ shape = 0 }: Pick<StoredOperation, 'shape'>): boolean {
  return shape > operationShape
}

/**
 * Returns a stored operation in the shape of this version. An operation that a newer version has stored gets the state `newer` and keeps
 * only the fields that every version has.
 */
export function upgradeOperation(stored: StoredOperation): Operation {
  if (isOfNewerShape(stored)) return newerOperation(stored)
  const upgraded = upgrades.slice(stored.shape ?? 0).reduce((operation, up) => up(operation), stored)
  return { ...upgraded, ...currentShape }
}

const currentShape = { shape: operationShape }

/** Returns an operation in the form in which it is stored: with the number of its shape. */
export function withShape<Part extends Omit<Operation, 'seq'>>(operation: Part): Part & { shape: number } {
  return { ...operation, ...currentShape }
}

/** Upgrades an operation from shape 0 to 1: removes `tried`, which later shapes do not have. */
function from0To1(stored: StoredOperation): StoredOperation {
  const { tried: _, ...withoutTried } = stored
  return withoutTried
}

function asItIs(stored: StoredOperation): StoredOperation {
  return stored
}

/**
 * Keeps only those fields of a newer version's operation that every version has. The others are empty. The kind is `call`: the operation may
 * create its rows, so later operations on these rows wait for it.
 */
function newerOperation(stored: StoredOperation): Operation {
  const { seq, id, userId, brandId, table, rowId, title, at } = stored
  return {
    seq,
    id,
    userId,
    brandId,
    table,
    rowId,
    // An operation on a table that this version does not know concerns no rows.
    rowIds: tableNames.includes(table) ? rowIdsOf(stored) : [],
    kind: 'call',
    values: {},
    call: null,
    preview: {},
    base: {},
    version: 0,
    lastWriteStands: false,
    at,
    title,
    icon: 'edit',
    state: 'newer',
    reason: null,
    code: null,
    conflicts: [],
    theirsAt: null,
    theirsBy: null,
  }
}
