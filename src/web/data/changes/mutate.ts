import type { Device } from '#web/data/browser/device.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { writeMakingRoom } from '#web/data/store/make-room.ts'
import { newId } from '#web/lib/new-id.ts'
import { readField } from '#web/data/store/row-fields.ts'
import { isOutOfDate } from '#web/data/store/out-of-date.ts'
import { isStorageFullError } from '#web/data/store/storage-full.ts'
import { isOnLine, reachable, serverNow } from '#web/data/server/network.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { requestPersistence } from '#web/data/browser/persist-storage.ts'
import { sessionState } from '#web/data/session/session.ts'
import type { TableName } from '#web/data/server/tables.ts'
import { recordOperation } from './steps.ts'
import { createsRows, type Operation, type OperationIcon, rowIdsOf } from '#web/data/store/operation.ts'
import { runSeriesCodeIfLoaded } from './series-code.ts'
import { awaitOutcome, responseTimeoutMs } from './outcomes.ts'
import { addToQueue, queue, updateQueue } from '#web/data/store/queue.ts'
import { sendWaiting } from './sender.ts'

interface NewOperation {
  table: TableName
  rowId: string
  title: string
  icon: OperationIcon
}

interface NewCreation extends NewOperation {
  /**
   * True if this operation replaces the refused operation that should have created the row, if there is one. Later operations on the row then stay in
   * the queue.
   */
  corrects?: boolean
}

export interface NewInsert extends NewCreation {
  /** The columns that are sent to the server. The id and the brand are added to them. */
  values: Record<string, unknown>
  /** The other fields of the row that screens show until the server answers. */
  preview: Record<string, unknown>
}

export interface NewCall extends NewCreation {
  call: { name: string; args: Record<string, unknown> }
  preview: Record<string, unknown>
}

export interface NewUpdate extends NewOperation {
  values: Record<string, unknown>
  /** Fields that the server will set, such as closed_at. Screens show them until the server answers. */
  preview?: Record<string, unknown>
  /** True for a field like the stage: the last write wins, and the user is not asked. */
  lastWriteStands?: boolean
  /** True for an undo or a redo. If a colleague changed a value meanwhile, the colleague's value stays. */
  givesWay?: boolean
}

/** Creates a row. Screens show the row at once. A moment later the operation is stored on this device, and it is sent to the server when possible. */
export function insert(device: Device, given: NewInsert): Promise<Outcome> {
  const identity = { id: given.rowId, brand_id: openBrand(device).get()?.brandId }
  const preview = { ...serverColumns(device), ...given.preview, ...given.values, ...identity }
  return mutate(device, { ...given, kind: 'insert', values: { ...given.values, ...identity }, preview })
}

/**
 * Creates a row by calling an RPC, whose arguments contain the row's id. The RPC may find an existing row and return its id: later
 * operations then use that row. If the row is already on this device, screens show it with only the fields of `preview` changed.
 */
export function insertByRpc(device: Device, given: NewCall): Promise<Outcome> {
  const brandId = openBrand(device).get()?.brandId
  const existing = openBrand(device).get()?.tables[given.table].get(given.rowId)
  const preview = existing
    ? given.preview
    : { ...serverColumns(device), ...given.preview, id: given.rowId, brand_id: brandId }
  return mutate(device, { ...given, kind: 'call', values: {}, preview })
}

/**
 * Changes fields of a row. Stores the values that this device had before the edit, so that conflicts can be recognised later. If the row was deleted
 * while the user typed, these are the values that the screen showed.
 */
export function update(device: Device, given: NewUpdate): Promise<Outcome> {
  const rows = openBrand(device).get()?.tables[given.table]
  const rowOnScreen = rows?.get(given.rowId) ?? rows?.removedRow(given.rowId)
  const preview = { ...given.preview, ...given.values }
  const base = Object.fromEntries(Object.keys(preview).map((field) => [field, readField(rowOnScreen, field)]))
  const version = rows?.serverRow(given.rowId)?.version ?? 0
  return mutate(device, { ...given, kind: 'update', preview, base, version })
}

interface NewRowsOperation extends Omit<NewOperation, 'rowId' | 'icon'>, Pick<NewUpdate, 'givesWay'> {
  /** The brand of the rows. By default, the open brand. An undo may run after another brand was opened. */
  brandId?: string | undefined
  /** The ids of the rows: at least one. */
  rowIds: readonly string[]
}

/** Writes the same values to many rows in one request. Screens show the values at once. The last write wins, and the user is not asked. */
export function updateAll(
  device: Device,
  given: NewRowsOperation &
    Pick<NewUpdate, 'values' | 'preview'> & {
      icon: OperationIcon
      /**
       * The values that this edit replaces, the same in all rows. An undo passes them, because this device may not have the rows. By default, the
       * values that each row has on this device.
       */
      replaced?: Record<string, unknown>
    },
): Promise<Outcome> {
  const preview = { ...given.preview, ...given.values }
  const rows = openBrand(device).get()?.tables[given.table]
  const fields = Object.keys(preview)
  const bases = valuesById(given.rowIds, (id) => {
    if (given.replaced) return given.replaced
    const rowOnScreen = rows?.get(id)
    return rowOnScreen && Object.fromEntries(fields.map((field) => [field, readField(rowOnScreen, field)]))
  })
  return mutate(device, { ...given, rowId: given.rowIds[0] ?? '', kind: 'update-all', preview, bases })
}

/** Deletes rows in one request. They leave the screen at once. */
export function remove(device: Device, given: NewRowsOperation): Promise<Outcome> {
  const rows = openBrand(device).get()?.tables[given.table]
  const bases = valuesById(given.rowIds, (id) => {
    const version = rows?.serverRow(id)?.version
    return version === undefined ? undefined : { version }
  })
  const noValues = { values: {}, preview: {} }
  return mutate(device, { ...given, rowId: given.rowIds[0] ?? '', icon: 'delete', kind: 'delete', ...noValues, bases })
}

function valuesById(
  ids: readonly string[],
  valuesOf: (id: string) => Record<string, unknown> | undefined,
): NonNullable<Operation['bases']> {
  return Object.fromEntries(
    ids.flatMap((id) => {
      const values = valuesOf(id)
      return values ? [[id, values]] : []
    }),
  )
}

/** Restores deleted rows. Screens show the rows in `restored` until the server answers. */
export function restore(
  device: Device,
  given: NewRowsOperation & { restored: NonNullable<Operation['restored']> },
): Promise<Outcome> {
  return mutate(device, {
    ...given,
    rowId: given.rowIds[0] ?? '',
    icon: 'restore',
    kind: 'restore',
    values: {},
    preview: {},
  })
}

type PreparedOperation = Pick<Operation, 'table' | 'rowId' | 'title' | 'icon' | 'kind' | 'values' | 'preview'> &
  Partial<
    Pick<
      Operation,
      'brandId' | 'call' | 'base' | 'bases' | 'version' | 'lastWriteStands' | 'rowIds' | 'restored' | 'givesWay'
    >
  > &
  Pick<NewCreation, 'corrects'>

async function mutate(device: Device, prepared: PreparedOperation): Promise<Outcome> {
  const data = openBrand(device).get()
  const { session } = sessionState(device).get()
  if (!data || !session) return { status: 'refused', message: 'Sign in and choose a brand first.', code: null }
  const { table, rowId, title, icon, kind, values, preview } = prepared
  const isOnline = reachable(device).get() && isOnLine() && !session.expired
  const refusedOperation = prepared.corrects ? refusedCreation(device, table, rowId) : undefined
  const operation: Operation = {
    seq: refusedOperation?.seq ?? Number.MAX_SAFE_INTEGER,
    id: newId(),
    userId: session.userId,
    brandId: prepared.brandId ?? data.brandId,
    at: serverNow(device),
    table,
    rowId,
    ...(prepared.rowIds && { rowIds: prepared.rowIds }),
    ...(prepared.restored && { restored: prepared.restored }),
    ...(prepared.bases && { bases: prepared.bases }),
    awaited: isOnline,
    title,
    icon,
    kind,
    values,
    preview,
    call: prepared.call ?? null,
    base: prepared.base ?? {},
    version: prepared.version ?? 0,
    lastWriteStands: prepared.lastWriteStands ?? false,
    ...(prepared.givesWay && { givesWay: true }),
    state: 'waiting',
    reason: null,
    code: null,
    conflicts: [],
    theirsAt: null,
    theirsBy: null,
  }
  // A call for an existing row is not a step: its undo would delete a record that somebody else may have created.
  const isStep = operation.brandId === data.brandId && (kind !== 'call' || 'brand_id' in preview)
  const removeFromStep = isStep ? recordOperation(data, operation) : null
  if (values.status && rowIdsOf(operation).some((id) => data.tables.tasks.get(id)?.repeats))
    runSeriesCodeIfLoaded(device, ({ addSeriesRows }) => addSeriesRows(data, operation))
  const outcome = awaitOutcome(device, operation.id, isOnline ? responseTimeoutMs : 0)
  try {
    await writeMakingRoom(device, operation.userId, () =>
      refusedOperation ? updateQueue(device, operation.userId, [], [operation]) : addToQueue(device, operation),
    )
  } catch (error) {
    console.error('The change could not be stored on this device.', error)
    removeFromStep?.()
    const message = isOutOfDate(device)
      ? 'This page is out of date. Reload it, then try again.'
      : isStorageFullError(error)
        ? 'This device has no room left for the change.'
        : 'The change could not be stored on this device. Reload the page, then try again.'
    return { status: 'refused', message, code: null }
  }
  void sendWaiting(device)
  if (!isOnline) {
    void requestPersistence(device)
    return { status: 'queued', id: rowId }
  }
  const result = (await outcome) ?? { status: 'queued', id: rowId }
  if (result.status === 'refused' || result.id !== rowId) removeFromStep?.()
  // The form shows the refusal, so the operation leaves 'Needs attention', unless other operations depend on it. A corrected operation
  // (`refusedOperation`) stays, because it was already under 'Needs attention' before the correction.
  if (result.status === 'refused' && !refusedOperation) {
    await import('./queue-actions.ts').then(
      ({ discardRefused }) => discardRefused(device, operation.id),
      // If the code cannot be loaded, the operation stays under 'Needs attention'.
      () => {},
    )
  }
  return result
}

/** Returns the operation that creates this row, if the server has refused that operation. */
export function refusedCreation(device: Device, table: TableName, rowId: string): Operation | undefined {
  return queue(device)
    .get()
    .operations.find(
      (candidate) =>
        candidate.state === 'failed' &&
        createsRows(candidate) &&
        candidate.table === table &&
        candidate.rowId === rowId,
    )
}

/** Returns preliminary values for the columns that the server will set in a new row. Version 0 means that the server has not set them yet. */
function serverColumns(device: Device): Record<string, unknown> {
  const now = serverNow(device)
  const me = sessionState(device).get().session?.userId ?? null
  return { created_at: now, updated_at: now, created_by: me, updated_by: me, rev: 0, version: 0 }
}
