import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import { useBrandData } from '#web/data/store/brand-data.ts'
import { observable, useObservable } from '#web/lib/observable.ts'
import { newId } from '#web/lib/new-id.ts'
import type { RecordTable } from '#web/data/store/record-tables.ts'
import type { TableRows } from '#web/data/server/tables.ts'

/** A new record that the server refused and that is open in its form again, to be corrected. */
export interface Correction<Table extends RecordTable = RecordTable> {
  brandId: string
  rowId: string
  /** The values that the form shows, by column. */
  row: Readonly<Partial<TableRows[Table]>>
  /** The name of a contact's company, as the person typed it. */
  companyName: string | null
}

/** The refused record that is being corrected in this tab, by its table. */
export const currentCorrection = devicePart(() =>
  observable<{ readonly [Table in RecordTable]?: Correction<Table> }>({}),
)

/** Ends the correction of a refused record, because its form was closed. If the record was not sent again, it stays in the queue. */
export function clearCurrentCorrection(device: Device): void {
  currentCorrection(device).set({})
}

/** Returns the refused record of this table whose form is open. Null if there is none. */
export function useCorrection<Table extends RecordTable>(table: Table): Correction<Table> | null {
  const device = useDevice()
  const data = useBrandData()
  const correction = useObservable(currentCorrection(device))[table]
  return correction && correction.brandId === data?.brandId ? correction : null
}

/**
 * Returns the id for a new record, and whether the record may correct a refused one. `givenId`: the id of the refused record that is corrected, or
 * the id that is stored with the draft of the form. Without it the id is new.
 */
export function identityOfNewRow(givenId: string | undefined): { rowId: string; corrects: boolean } {
  return { rowId: givenId ?? newId(), corrects: givenId !== undefined }
}
