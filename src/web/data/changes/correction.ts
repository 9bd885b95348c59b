import { type Device, useDevice } from '#web/data/browser/device.ts'
import { devicePart } from '#web/data/browser/device.ts'
import { useBrandData } from '#web/data/store/brand-data.ts'
import { observable, useObservable } from '#web/lib/observable.ts'
import { newId } from '#web/lib/new-id.ts'
import type { RecordTable } from '#web/data/store/record-tables.ts'
import type { TableRows } from '#web/data/server/tables.ts'

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
export const corrected = devicePart(() => observable<Correction | null>(null))

/** The form is closed, whatever came of it: what was not sent is where it was. */
export function endCorrection(device: Device): void {
  corrected(device).set(null)
}

/** The refused record of this table whose form is to be shown; null: none. */
export function useCorrection<Table extends RecordTable>(table: Table): Correction<Table> | null {
  const device = useDevice()
  const data = useBrandData()
  const correction = useObservable(corrected(device))
  const isMine = correction?.table === table && correction.brandId === data?.brandId
  return isMine ? (correction as Correction<Table>) : null
}

/** The id of a record that is to be made: a new one, or that of a refused one (`rowId`) whose place it takes. */
export function newRow(rowId: string | undefined): { rowId: string; corrects: boolean } {
  return { rowId: rowId ?? newId(), corrects: rowId !== undefined }
}
