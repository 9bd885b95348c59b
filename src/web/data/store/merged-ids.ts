import type { Device } from '#web/data/browser/device.ts'
import type { TableName } from '#web/data/server/tables.ts'
import { localDatabase } from './local-db.ts'

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
