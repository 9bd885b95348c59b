import type { Device } from '#web/data/browser/device.ts'
import type { TableName } from '#web/data/server/tables.ts'
import { localDatabase } from './local-db.ts'
import { type Operation, withRowId } from './operation.ts'

interface TableOfBrand {
  userId: string
  brandId: string
  table: TableName
}

/**
 * Stores that the server has merged the record `newId`, which was created on this device, into the existing record `id`. A link to `newId` then
 * leads to that record. Does nothing if this device cannot store it.
 */
export async function storeMergedId(
  device: Device,
  { userId, brandId, table }: TableOfBrand,
  newId: string,
  id: string,
): Promise<void> {
  const list = { brand_id: brandId, key: keyOf(table, newId), ids: [id], total: 1 }
  await localDatabase(device, userId)
    .putList(list)
    .catch((error: unknown) => console.warn('The id of a merged record could not be stored.', error))
}

/** Returns the id of the record into which the record `newId` was merged. Null if it was not merged on this device. */
export async function readMergedId(
  device: Device,
  { userId, brandId, table }: TableOfBrand,
  newId: string,
): Promise<string | null> {
  const stored = await localDatabase(device, userId)
    .getList(brandId, keyOf(table, newId))
    .catch(() => undefined)
  return stored?.ids[0] ?? null
}

function keyOf(table: TableName, newId: string): string {
  return `merged:${table}:${newId}`
}

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Returns a copy of an operation in which the ids of existing records replace those of new records that were merged into them. Null if there are
 * none. A form may have been open with a new record before the server merged it.
 */
export async function withMergedIds(device: Device, operation: Operation): Promise<Operation | null> {
  let changed = operation
  for (const value of Object.values({ ...operation.values, ...operation.call?.args })) {
    if (typeof value !== 'string' || !idPattern.test(value)) continue
    for (const table of ['contacts', 'companies'] as const) {
      const id = await readMergedId(device, { ...operation, table }, value)
      if (id !== null) changed = withRowId(changed, value, id)
    }
  }
  return changed === operation ? null : changed
}
