import type { Device } from '#web/data/browser/device.ts'
import { serverNow } from '#web/data/server/network.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import type { RecordTable } from '#web/data/store/record-tables.ts'
import { noteOperation } from './steps.ts'

/** Notes records that the server has deleted for this tab without the outbox (a whole list): their undo restores them. */
export function noteDeleted(device: Device, table: RecordTable, rowIds: readonly string[]): void {
  const data = openBrand(device).get()
  const [rowId] = rowIds
  if (!data || rowId === undefined) return
  const { brandId } = data
  const nothing = { values: {}, preview: {}, base: {} }
  const title = `Delete ${rowIds.length} ${table}`
  noteOperation(data, {
    kind: 'delete',
    brandId,
    table,
    rowId,
    rowIds,
    ...nothing,
    at: serverNow(device),
    title,
    icon: 'delete',
  })
}
