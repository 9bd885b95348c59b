import { type Device } from '#web/data/browser/device.ts'
import { devicePart } from '#web/data/browser/device.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { combined, type Outcome } from '#web/data/session/outcome.ts'
import { remove, restore } from './mutate.ts'
import type { RecordTable } from '#web/data/store/record-tables.ts'
import { recordWords } from './record-words.ts'
import { chunksOf } from '#web/data/server/request-size.ts'
import { sessionState } from '#web/data/session/session.ts'
import type { AnyRow } from '#web/data/server/tables.ts'

/** What was deleted in this tab, as it was: screens show it again at once when it is undone. */
const remembered = devicePart((device) => {
  const rows = new Map<string, AnyRow>()
  sessionState(device).subscribe(() => {
    if (!sessionState(device).get().session) rows.clear()
  })
  return rows
})
const rememberedLimit = 5000

/**
 * Deletes records of the active brand: they leave the screen before this returns, offline too. What names them loses its link on the
 * server (`useUnlinked` tells how much). Refused: they are on screen again; 'Error deleting …' with the message.
 */
export async function deleteRecords(device: Device, table: RecordTable, ids: readonly string[]): Promise<Outcome> {
  const data = openBrand(device).get()
  return combined(
    chunksOf(ids).map((rowIds) => {
      const rows = rowIds.map((id) => data?.tables[table].get(id))
      for (const row of rows) if (row) remember(device, row)
      return remove(device, { table, rowIds, title: `Delete ${recordWords(table, rows)}` })
    }),
  )
}

/**
 * Takes a `deleteRecords` back: the same rows with their links (`restore_records`), on screen before this returns as far as they are
 * remembered in this tab. Offline too: it is sent after the delete, which may have reached the server or not. Refused where a place is not
 * free any more (the e-mail is another contact's now).
 */
export async function restoreRecords(device: Device, table: RecordTable, ids: readonly string[]): Promise<Outcome> {
  return combined(
    chunksOf(ids).map((rowIds) => {
      const rows = rowIds.map((id) => remembered(device).get(id))
      const restored = Object.fromEntries(rows.flatMap((row) => (row ? [[row.id, { ...row }]] : [])))
      const brandId = rows.find((row) => row)?.brand_id
      return restore(device, { table, rowIds, title: `Bring back ${recordWords(table, rows)}`, restored, brandId })
    }),
  )
}

function remember(device: Device, row: AnyRow): void {
  remembered(device).set(row.id, row)
  if (remembered(device).size <= rememberedLimit) return
  const oldest = remembered(device).keys().next().value
  if (oldest !== undefined) remembered(device).delete(oldest)
}
