import type { Device } from '#web/data/browser/device.ts'
import type { TableName } from '#web/data/server/tables.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { storeRows } from '#web/data/store/store-rows.ts'

/**
 * Removes rows that the server has deleted from this device. A row that is newer than its recorded deletion (`recordDeletion`) stays: it was restored
 * and pulled since, while the answer to a request was on its way.
 */
export async function removeDeleted(
  device: Device,
  { userId, brandId, table }: { userId: string; brandId: string; table: TableName },
  ids: readonly string[],
): Promise<void> {
  const open = openBrand(device).get()
  const data = open?.userId === userId && open.brandId === brandId ? open : null
  const isRestored = (id: string) =>
    (data?.tables[table].serverRow(id)?.version ?? 0) > (data?.recentlyDeleted.get(id) ?? Number.POSITIVE_INFINITY)
  await storeRows(device, { userId, brandId, table, deletedIds: ids.filter((id) => !isRestored(id)) })
}
