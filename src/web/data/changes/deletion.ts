import type { Device } from '#web/data/browser/device.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { recordDeletions } from '#web/data/store/deletions.ts'
import type { RecordTable } from '#web/data/store/record-tables.ts'
import { loadRareSendCode } from './load-rare-send-code.ts'

/** Who deleted a record (null if not known), and when (ISO). */
export interface KnownDeletion {
  by: string | null
  at: string
}

/**
 * Reads who deleted a record of the open brand, and when. If it was deleted, also records the deletion on this device. Null if the record is not
 * known to be deleted, or if the server did not answer.
 */
export async function readAndRecordDeletion(
  device: Device,
  table: RecordTable,
  rowId: string,
): Promise<KnownDeletion | null> {
  const data = openBrand(device).get()
  if (!data) return null
  const version = data.tables[table].serverRow(rowId)?.version
  const code = await loadRareSendCode().catch(() => null)
  const found = await code?.readDeletion(device, { userId: data.userId, brandId: data.brandId, table }, rowId)
  if (!found || 'kind' in found || found.at === null) return null
  recordDeletions(data, table, new Map([[rowId, version]]))
  return { by: found.by, at: found.at }
}

/**
 * Returns the id of the existing record into which the server has merged this record, which was created on this device. Null if it was not merged, or
 * if no brand is open.
 */
export async function mergedRecordId(device: Device, table: RecordTable, newId: string): Promise<string | null> {
  const data = openBrand(device).get()
  const code = data && (await loadRareSendCode().catch(() => null))
  return code ? code.readMergedId(device, { userId: data.userId, brandId: data.brandId, table }, newId) : null
}
