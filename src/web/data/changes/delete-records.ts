import { type Device, devicePart } from '#web/data/browser/device.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { combinedOutcome, type Outcome } from '#web/data/session/outcome.ts'
import { remove, restore } from './mutate.ts'
import type { RecordTable } from '#web/data/store/record-tables.ts'
import { recordWords } from './record-words.ts'
import { chunksOf } from '#web/data/server/request-size.ts'
import { sessionState } from '#web/data/session/session.ts'
import type { AnyRow } from '#web/data/server/tables.ts'

/** The last rows (`maxRememberedRows`) that this tab has deleted, by id. An undo can show them again at once. */
const deletedRows = devicePart((device) => {
  const rows = new Map<string, AnyRow>()
  sessionState(device).subscribe(() => {
    if (!sessionState(device).get().session) rows.clear()
  })
  return rows
})
const maxRememberedRows = 5000

/**
 * Deletes records of the open brand. They leave the screen before this function returns, also offline. The server clears the links to
 * them (`useLinkCounts` counts these links). If the server refuses, the records are shown again, and the title of the notice is 'Error
 * deleting …'. `givesWay` is explained at `Operation`.
 */
export async function deleteRecords(
  device: Device,
  table: RecordTable,
  ids: readonly string[],
  givesWay = false,
): Promise<Outcome> {
  const data = openBrand(device).get()
  return combinedOutcome(
    chunksOf(ids).map((rowIds) => {
      const rows = rowIds.map((id) => data?.tables[table].get(id))
      for (const row of rows) if (row) remember(device, row)
      return remove(device, { table, rowIds, givesWay, title: `Delete ${recordWords(table, rows)}` })
    }),
  )
}

/**
 * Restores deleted records with their links (`restore_records`). Records that this tab has deleted or shown are on screen before this
 * function returns. Works offline, and before the server has received the delete: the restore is sent after the delete. The outcome is
 * 'refused' if a record cannot be restored, for example because another record now has its unique value, such as a contact's email address.
 */
export async function restoreRecords(device: Device, table: RecordTable, ids: readonly string[]): Promise<Outcome> {
  const collection = openBrand(device).get()?.tables[table]
  return combinedOutcome(
    chunksOf(ids).map((rowIds) => {
      const rows = rowIds.map((id) => deletedRows(device).get(id) ?? collection?.removedRow(id))
      const restored = Object.fromEntries(rows.flatMap((row) => (row ? [[row.id, { ...row }]] : [])))
      const brandId = rows.find((row) => row)?.brand_id
      return restore(device, { table, rowIds, title: `Bring back ${recordWords(table, rows)}`, restored, brandId })
    }),
  )
}

/** Returns a row that this tab has deleted. Undefined if it is not one of the last 5,000, or after a sign-out. */
export function deletedRow(device: Device, id: string): AnyRow | undefined {
  return deletedRows(device).get(id)
}

function remember(device: Device, row: AnyRow): void {
  deletedRows(device).set(row.id, row)
  if (deletedRows(device).size <= maxRememberedRows) return
  const oldest = deletedRows(device).keys().next().value
  if (oldest !== undefined) deletedRows(device).delete(oldest)
}
