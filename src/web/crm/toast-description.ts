import type { Device } from '#web/data/browser/device.ts'
import { nameOfRecord } from '#web/data/changes/record-words.ts'
import type { RecordTable } from '#web/data/store/record-tables.ts'
import { openBrand } from '#web/data/store/brand-data.ts'

/**
 * Returns the name of a record as the description of a toast, because the toast's title is a fixed text without names. Returns {} for a
 * record without a name.
 */
export function toastDescription(device: Device, table: RecordTable, id: string | undefined): { description?: string } {
  const row = id ? openBrand(device).get()?.tables[table].get(id) : undefined
  const name = row && nameOfRecord(row)
  return name ? { description: name } : {}
}
