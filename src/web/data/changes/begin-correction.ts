import { withFields } from '#web/data/store/row-fields.ts'
import type { Device } from '#web/data/browser/device.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { textOf } from '#web/lib/read-unknown.ts'
import { currentCorrection } from './correction.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { queue } from '#web/data/store/queue.ts'
import { hasListPage, type ListedTable } from '#web/data/store/record-tables.ts'

/**
 * Fills the form for new records with the values of a record that the server refused, so that the person can correct it. Returns the table of the
 * record: the form opens on the page with the list of that table. Null if the operation is not a refused new record.
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

/** Whether the server refused the operation, and the operation creates a record of the open brand in a table that has a form. */
export function isCorrectable(device: Device, operation: Operation): operation is Operation & { table: ListedTable } {
  const { state, kind, table, brandId } = operation
  const createsRecord = kind === 'insert' || kind === 'call'
  return state === 'failed' && createsRecord && hasListPage(table) && brandId === openBrand(device).get()?.brandId
}
