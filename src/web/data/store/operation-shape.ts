import { tableNames } from '#web/data/server/tables.ts'
import { type Operation, rowIdsOf } from './operation.ts'

/** An operation as it is stored, with the fields of earlier shapes. */
export type StoredOperation = Operation & {
  /** The version of this operation's shape. Absent means 0. (`version` is the version of the row.) */
  shape?: number
  /** Shape 0: a delete that may have reached the server. */
  tried?: boolean
}

/**
 * Each function upgrades a stored operation by one shape, the first one from 0 to 1. A change of `Operation`, a new kind or a new meaning of a
 * field needs a new function at the end. No function changes seq, id, userId, brandId, table, rowId, rowIds, title and at, because older versions
 * of the app read them.
 */
const upgrades: readonly ((stored: StoredOperation) => StoredOperation)[] = [
  from0To1,
  // 2: `givesWay`. 3: a `SetEdit` in operations on many rows, icon 'tag'. 4: values of custom fields, 'custom.<id>'. 5: `also`. Earlier
  // operations have none of these.
  asItIs,
  asItIs,
  asItIs,
  asItIs,
]

/** The shape that this version of the app reads and writes. */
export const operationShape = upgrades.length

/** Whether a newer version of the app wrote the operation. This version neither sends nor rewrites it. */
export function isOfNewerShape({ shape = 0 }: Pick<StoredOperation, 'shape'>): boolean {
  return shape > operationShape
}

/**
 * Returns the operation in the shape of this version. An operation of a newer version gets the state `newer`, and keeps only the fields
 * that every version has.
 */
export function upgradeOperation(stored: StoredOperation): Operation {
  if (isOfNewerShape(stored)) return newerOperation(stored)
  const upgraded = upgrades.slice(stored.shape ?? 0).reduce((operation, up) => up(operation), stored)
  return { ...upgraded, ...currentShape }
}

const currentShape = { shape: operationShape }

/** Returns the operation as it is stored. */
export function withShape<Part extends Omit<Operation, 'seq'>>(operation: Part): Part & { shape: number } {
  return { ...operation, ...currentShape }
}

/** Removes `tried`, which is no longer used. */
function from0To1(stored: StoredOperation): StoredOperation {
  const { tried: _, ...rest } = stored
  return rest
}

function asItIs(stored: StoredOperation): StoredOperation {
  return stored
}

/** Returns the fields of an operation that every version has. It may create its rows, so operations on these rows wait for it. */
function newerOperation(stored: StoredOperation): Operation {
  const { seq, id, userId, brandId, table, rowId, title, at } = stored
  return {
    seq,
    id,
    userId,
    brandId,
    table,
    rowId,
    // Empty for a table that this version does not know.
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
