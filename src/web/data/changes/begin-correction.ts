import { withFields } from '#web/data/store/row-fields.ts'
import type { Device } from '#web/data/browser/device.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { textOf } from '#web/lib/read-unknown.ts'
import { currentCorrection } from './correction.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { queue } from '#web/data/store/queue.ts'
import { isListedTable, type ListedTable } from '#web/data/store/record-tables.ts'

/**
 * Opens the form of a refused new record, on the page of its list. Returns its table. Null if the operation is not a refused new record.
 */
export function beginCorrection(device: Device, operationId: string): ListedTable | null {
  const operation = queue(device)
    .get()
    .operations.find(({ id }) => id === operationId)
  if (!operation || !isCorrectable(device, operation)) return null
  const { table, brandId, rowId, preview, call } = operation
  currentCorrection(device).set({
    [table]: { brandId, rowId, row: withFields({}, preview), companyName: textOf(call?.args, 'p_company_name') },
  })
  return table
}

/** Whether the operation was refused and creates a record of the open brand, in a table with a form. */
export function isCorrectable(device: Device, operation: Operation): operation is Operation & { table: ListedTable } {
  const { state, kind, table, brandId } = operation
  const createsRecord = kind === 'insert' || kind === 'call'
  return state === 'failed' && createsRecord && isListedTable(table) && brandId === openBrand(device).get()?.brandId
}
