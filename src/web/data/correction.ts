import { useBrandData } from './engine.ts'
import { liveValue, useLive } from './live-value.ts'
import { newId } from './new-id.ts'
import type { RecordTable } from './record-tables.ts'
import type { TableRows } from './tables.ts'

/** A new record that the server refused, taken up again in its form. */
export interface Correction<Table extends RecordTable = RecordTable> {
  brandId: string
  table: Table
  rowId: string
  /** What was typed, by column. */
  row: Readonly<Partial<TableRows[Table]>>
  /** The company of a contact, as it was typed. */
  companyName: string | null
}

/** What is corrected now, in this tab. */
export const corrected = liveValue<Correction | null>(null)

/** The form is closed, whatever came of it: what was not sent is where it was. */
export function endCorrection(): void {
  corrected.set(null)
}

/** The refused record of this table whose form is to be shown; null: none. */
export function useCorrection<Table extends RecordTable>(table: Table): Correction<Table> | null {
  const data = useBrandData()
  const correction = useLive(corrected)
  const isMine = correction?.table === table && correction.brandId === data?.brandId
  return isMine ? (correction as Correction<Table>) : null
}

/** The id of a record that is to be made: a new one, or that of a refused one (`rowId`) whose place it takes. */
export function newRow(rowId: string | undefined): { rowId: string; corrects: boolean } {
  return { rowId: rowId ?? newId(), corrects: rowId !== undefined }
}
