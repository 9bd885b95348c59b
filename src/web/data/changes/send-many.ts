import { valuesToSend, customFieldId } from '#web/data/store/row-fields.ts'
import type { Device } from '#web/data/browser/device.ts'
import { serverNow } from '#web/data/server/network.ts'
import type { DeletedVersions } from '#web/data/store/deletions.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import { type Answer, notAllowed } from './answer.ts'
import { hasValues, isOvertaken } from './conflict.ts'
import { wasUnreachableSince } from './was-unreachable-since.ts'
import { type Operation, rowIdsOf } from '#web/data/store/operation.ts'
import { isSetEdit } from '#web/data/store/set-edit.ts'
import { type CurrentRows, readCurrentRows, versionsHere } from './read-current.ts'
import { sendRequest } from './request.ts'

/** The result of sending an operation on many rows. */
export type SendManyResult =
  /**
   * The rows in `deleted` no longer exist. `rows`: the rows that this operation deleted, as they were just before. Rows that somebody else had
   * deleted earlier are not in `rows`. `rows` is empty if an earlier attempt deleted the rows and its answer was lost. `changedBefore`: the rows in
   * `rows` that somebody else had changed before the delete, if this device had not seen the change.
   */
  | { kind: 'deleted-here'; rows: readonly AnyRow[]; deleted: DeletedVersions; changedBefore: readonly AnyRow[] }
  /**
   * The rows in `rows` exist on the server, those in `deleted` do not. `overtakenBy`: the rows in `rows` that were not written, because somebody
   * else has changed them. `deletedBy` and `deletedAt`: who deleted the first missing row, and when. Null if no row is missing, or if not known.
   * `wasReadLater`: the rows were read after the write, so that others may have changed them since.
   */
  | {
      kind: 'changed'
      rows: readonly AnyRow[]
      deleted: DeletedVersions
      overtakenBy: readonly AnyRow[]
      deletedBy: string | null
      deletedAt: string | null
      wasReadLater?: true
    }
  /** The rows were restored. `rows`: the operation's rows after the restore. Rows that could not be restored are missing. */
  | { kind: 'restored'; rows: readonly AnyRow[] }
  | Exclude<Answer, { kind: 'applied' } | { kind: 'already-applied' }>

/** Sends an operation on many rows to the server once. */
export function sendForMany(device: Device, operation: Operation): Promise<SendManyResult> {
  if (operation.kind === 'delete') return sendDelete(device, operation)
  return operation.kind === 'restore' ? sendRestore(device, operation) : sendUpdateAll(device, operation)
}

/** If an operation is older than this when it is sent (ms), the rows are read first, because others may have changed them. */
const maxFreshAgeMs = 5000

/**
 * Writes the same values to all given rows that still exist, in one request. If the operation has waited or is an undo, the rows are read
 * first, and rows in which somebody changed the same fields are left out. An undo also leaves out rows that change between reading and
 * writing.
 */
async function sendUpdateAll(device: Device, operation: Operation): Promise<SendManyResult> {
  const overtakenBy: AnyRow[] = []
  const versionsBefore = versionsHere(device, operation, rowIdsOf(operation))
  if (!isFresh(device, operation)) {
    const current = await readCurrentRows(device, operation, rowIdsOf(operation))
    if (current.kind !== 'applied') return current
    for (const row of current.rows) if (isOvertaken(operation, row)) overtakenBy.push(row)
  }
  const overtakenIds = new Set(overtakenBy.map((row) => row.id))
  const ids = rowIdsOf(operation).filter((id) => !overtakenIds.has(id))
  const answer = await writeAll(device, operation, ids)
  if (answer.kind !== 'applied') return answer
  const result = operation.givesWay ? await readSkipped(device, operation, ids, answer.rows) : answer
  if (result.kind !== 'applied') return result
  if (operation.givesWay) overtakenBy.push(...result.rows.filter((row) => !hasValues(operation, row)))
  const presentIds = new Set([...result.rows, ...overtakenBy].map((row) => row.id))
  const missing = new Map([...versionsBefore].filter(([id]) => !presentIds.has(id)))
  // A read has already asked who deleted the first missing row. Without a read, a row may also be missing because the user was no longer a member.
  const current =
    result.deletion || missing.size === 0
      ? { ...result, rows: [], missing }
      : await readCurrentRows(device, operation, [...missing.keys()])
  if (current.kind !== 'applied') return current
  overtakenBy.push(...current.rows)
  const rows = [...new Set([...result.rows, ...overtakenBy])]
  const { missing: deleted, deletion: { by: deletedBy, at: deletedAt } = { by: null, at: null } } = current
  const { wasReadLater } = answer
  return { kind: 'changed', rows, deleted, overtakenBy, deletedBy, deletedAt, ...(wasReadLater && { wasReadLater }) }
}

/**
 * Whether the edit is so recent that others have hardly had time to change the rows. Always false for an undo or a redo, for an edit that was made
 * offline, or if the server became unreachable since the edit.
 */
function isFresh(device: Device, { awaited, givesWay, at }: Operation): boolean {
  if (!awaited || givesWay || wasUnreachableSince(device, at)) return false
  // A negative age means that the clock was set back since the edit. Only a small negative age counts as fresh.
  return Math.abs(Date.parse(serverNow(device)) - Date.parse(at)) < maxFreshAgeMs
}

/** The rows that a write has written. `missing`: the rows that a read after the write did not find. Empty if nothing was read. */
type WrittenRows = CurrentRows & { wasReadLater?: true }

async function writeAll(device: Device, operation: Operation, ids: readonly string[]): Promise<WrittenRows> {
  if (ids.length === 0) return writtenRows([])
  const { table, values, brandId } = operation
  const tags = values.tag_ids
  if (isSetEdit(tags)) {
    const args = {
      p_brand_id: brandId,
      p_query: { table, where: { id: ids } },
      p_change: { add_tags: tags.add, remove_tags: tags.remove },
    }
    const changed = await sendRequest(device, operation, (server) => server.rpc('change_matching', args))
    if (changed.kind !== 'applied' && changed.kind !== 'already-applied') return changed
    return readCurrentRows(device, operation, ids)
  }
  const answer = await sendRequest(device, operation, (server) => {
    const update = server.from(table).update(valuesToSend(values)).eq('brand_id', brandId).in('id', ids)
    for (const [field, base] of Object.entries(replacedValues(operation))) {
      const id = customFieldId(field)
      if ((base ?? null) === null) update.is(id === null ? field : `custom->>${id}`, null)
      else if (id === null) update.filter(field, 'eq', base)
      else update.filter(`custom->${id}`, 'eq', JSON.stringify(base))
    }
    return update.select()
  })
  if (answer.kind === 'applied') return writtenRows(answer.rows ?? [])
  if (answer.kind !== 'already-applied') return answer
  return { ...(await readCurrentRows(device, operation, ids)), wasReadLater: true }
}

function writtenRows(rows: readonly AnyRow[]): Extract<CurrentRows, { kind: 'applied' }> {
  return { kind: 'applied', rows, missing: new Map() }
}

/**
 * Returns the values that an undo replaces. They are the same in all rows, and only rows that still have these values are written. Returns no
 * values for an edit that is not an undo, because such an edit writes all rows.
 */
function replacedValues({ givesWay, bases, rowId }: Operation): Record<string, unknown> {
  return (givesWay && bases?.[rowId]) || {}
}

/** Returns the rows that an undo has written, and the current rows that it has skipped because another person changed them first. */
async function readSkipped(
  device: Device,
  operation: Operation,
  ids: readonly string[],
  written: readonly AnyRow[],
): Promise<CurrentRows> {
  const writtenIds = new Set(written.map((row) => row.id))
  const skipped = ids.filter((id) => !writtenIds.has(id))
  if (skipped.length === 0) return writtenRows(written)
  const current = await readCurrentRows(device, operation, skipped)
  return current.kind === 'applied' ? { ...current, rows: [...written, ...current.rows] } : current
}

/**
 * Deletes rows in one request. Rows that are already deleted cause no error. Versions are not compared, because a delete wins (docs/offline.md). An
 * undo deletes nothing if somebody else has changed one of the rows. If rows still exist after the request, the user may not delete them: the result
 * is `notAllowed`. After an earlier attempt that was applied, it is `changed` instead: somebody else has restored the rows since that attempt.
 */
async function sendDelete(device: Device, operation: Operation): Promise<SendManyResult> {
  const { table, brandId } = operation
  const ids = rowIdsOf(operation)
  if (operation.givesWay) {
    const current = await readCurrentRows(device, operation, ids)
    if (current.kind !== 'applied') return current
    const { rows, missing: deleted } = current
    const overtakenBy = rows.filter((row) => wasChangedByOther(operation, row))
    if (overtakenBy.length > 0) return { kind: 'changed', rows, deleted, overtakenBy, deletedBy: null, deletedAt: null }
  }
  const answer = await sendRequest(device, operation, (server) =>
    server.from(table).delete().eq('brand_id', brandId).in('id', ids).select(),
  )
  const isRepeated = answer.kind === 'already-applied'
  if (answer.kind !== 'applied' && !isRepeated) return answer
  const rows = isRepeated ? [] : (answer.rows ?? [])
  const versions: [string, number | undefined][] = rows.map(({ id, version }) => [id, version])
  const changedBefore = rows.filter((row) => wasChangedByOther(operation, row))
  const missingIds = ids.filter((id) => !rows.some((row) => row.id === id))
  if (missingIds.length === 0) return { kind: 'deleted-here', rows, deleted: new Map(versions), changedBefore }
  const remaining = await readCurrentRows(device, operation, missingIds)
  if (remaining.kind !== 'applied') return remaining
  const deleted = new Map([...versions, ...remaining.missing])
  if (remaining.rows.length === 0) return { kind: 'deleted-here', rows, deleted, changedBefore }
  if (!isRepeated) return notAllowed
  const noDeletion = { overtakenBy: [], deletedBy: null, deletedAt: null }
  return { kind: 'changed', rows: remaining.rows, deleted, ...noDeletion, wasReadLater: true }
}

/** Whether somebody else has changed a row since this device last saw it. False if this device never had the row. */
function wasChangedByOther({ bases, userId }: Operation, row: AnyRow): boolean {
  const version = bases?.[row.id]?.version
  return typeof version === 'number' && row.version > version && row.updated_by !== userId
}

/** Restores deleted rows with their links, and then reads the rows. */
async function sendRestore(device: Device, operation: Operation): Promise<SendManyResult> {
  const ids = rowIdsOf(operation)
  const args = { p_brand_id: operation.brandId, p_table: operation.table, p_ids: ids }
  const answer = await sendRequest(device, operation, (server) => server.rpc('restore_records', args))
  if (answer.kind !== 'applied' && answer.kind !== 'already-applied') return answer
  const current = await readCurrentRows(device, operation, ids)
  return current.kind === 'applied' ? { kind: 'restored', rows: current.rows } : current
}
