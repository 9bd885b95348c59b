import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import { useBrandData } from '#web/data/store/brand-data.ts'
import { observable, useObservable } from '#web/lib/observable.ts'
import { newId } from '#web/lib/new-id.ts'
import type { RecordTable } from '#web/data/store/record-tables.ts'
import type { TableRows } from '#web/data/server/tables.ts'

/** A new record that the server refused, opened again in its form. */
export interface Correction<Table extends RecordTable = RecordTable> {
  brandId: string
  rowId: string
  /** The values of the form, by column. */
  row: Readonly<Partial<TableRows[Table]>>
  /** The company name of a contact, as the person typed it. */
  companyName: string | null
}

/** The refused record that this tab corrects now, by its table. */
export const currentCorrection = devicePart(() =>
  observable<{ readonly [Table in RecordTable]?: Correction<Table> }>({}),
)

/** Ends the correction of a refused record when its form is closed. A record that was not sent stays in the queue. */
export function endCorrection(device: Device): void {
  currentCorrection(device).set({})
}

/** Returns the refused record of this table whose form is shown, or null. */
export function useCorrection<Table extends RecordTable>(table: Table): Correction<Table> | null {
  const device = useDevice()
  const data = useBrandData()
  const correction = useObservable(currentCorrection(device))[table]
  return correction && correction.brandId === data?.brandId ? correction : null
}

/** Returns the id for a new record: a new id, or the id of the refused record (`rowId`) that it replaces. */
export function newRow(rowId: string | undefined): { rowId: string; corrects: boolean } {
  return { rowId: rowId ?? newId(), corrects: rowId !== undefined }
}
