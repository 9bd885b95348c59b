import { tableNames } from '#web/data/server/tables.ts'
import { type Operation, rowsOf } from './operation.ts'

/** An operation as the outbox holds it, with what earlier versions of its shape had. */
export type StoredOperation = Operation & {
  /** The version of its shape; absent means 0. (`version` is that of the row.) */
  shape?: number
  /** Shape 0: a delete that may have reached the server. */
  tried?: boolean
}

/**
 * Brings a stored operation to the shape of the next version: at place 0 from 0 to 1. A change of `Operation`, a new kind or a new
 * meaning of a field adds a function at the end. No version changes seq, id, userId, brandId, table, rowId, rowIds, title and at: older
 * versions of the app read them.
 */
const upgrades: readonly ((stored: StoredOperation) => StoredOperation)[] = [from0To1]

/** The version of the shape that this app reads and writes. */
export const operationShape = upgrades.length

/** Whether a newer version of the app wrote it. This one neither sends nor rewrites it. */
export function isOfNewerShape({ shape = 0 }: StoredOperation): boolean {
  return shape > operationShape
}

/** The operation in the shape of this version. One of a newer version comes with state `newer`, and without what is not known here. */
export function upgradeOperation(stored: StoredOperation): Operation {
  if (isOfNewerShape(stored)) return newerOperation(stored)
  const upgraded = upgrades.slice(stored.shape ?? 0).reduce((operation, up) => up(operation), stored)
  return { ...upgraded, ...shapeOfToday }
}

const shapeOfToday = { shape: operationShape }

/** The operation as it is stored. */
export function withShape<Part extends Omit<Operation, 'seq'>>(operation: Part): Part & { shape: number } {
  return { ...operation, ...shapeOfToday }
}

/** Whether a delete was tried is not asked any more. */
function from0To1(stored: StoredOperation): StoredOperation {
  const { tried: _, ...rest } = stored
  return rest
}

/** What is known of one from the future. It may make its rows, so what names them waits for it. */
function newerOperation(stored: StoredOperation): Operation {
  const { seq, id, userId, brandId, table, rowId, title, at } = stored
  return {
    seq,
    id,
    userId,
    brandId,
    table,
    rowId,
    // A table that this version does not know.
    rowIds: tableNames.includes(table) ? rowsOf(stored) : [],
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
