import type { Device } from '#web/data/browser/device.ts'
import type { TableName } from '#web/data/server/tables.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { type DeletedVersions, recordDeletions } from '#web/data/store/deletions.ts'
import { storeRows } from '#web/data/store/store-rows.ts'

/**
 * Removes rows that the server has deleted from this device, and records their deletion, so that an older answer does not store them again. Rows
 * that were restored since stay: a pull may have stored them while the answer about the deletion was on its way.
 */
export async function removeDeleted(
  device: Device,
  { userId, brandId, table }: { userId: string; brandId: string; table: TableName },
  deleted: DeletedVersions,
): Promise<void> {
  const data = openBrand(device).get()
  if (data?.userId === userId && data.brandId === brandId) recordDeletions(data, table, deleted)
  await storeRows(device, { userId, brandId, table, deleted })
}
