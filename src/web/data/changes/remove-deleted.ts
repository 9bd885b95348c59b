import type { Device } from '#web/data/browser/device.ts'
import type { TableName } from '#web/data/server/tables.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { type DeletedVersions, recordDeletions } from '#web/data/store/deletions.ts'
import { storeRows } from '#web/data/store/store-rows.ts'

/**
 * Removes from this device the rows that were deleted on the server, and records the deletions, so that an older answer does not store the rows
 * again. Rows that were restored since stay: a pull may have stored them while the answer about the deletion was on its way.
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
