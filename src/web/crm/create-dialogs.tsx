import { useDevice } from '#web/data/browser/device.ts'
import type { ComponentType } from 'react'
import { clearCurrentCorrection, type Correction, useCorrection } from '#web/data/changes/correction.ts'
import type { RecordTable } from '#web/data/store/record-tables.ts'

/** The form for a new record of a table. */
export type CreateDialog<Table extends RecordTable> = ComponentType<{
  open: boolean
  onClose: () => void
  correction?: Correction<Table> | null
}>

interface CreateDialogsProps<Table extends RecordTable> {
  table: Table
  dialog: CreateDialog<Table>
  open: boolean
  onClose: () => void
}

/** The form for a new record, and a second form to correct a record that the server refused. */
export function CreateDialogs<Table extends RecordTable>(props: CreateDialogsProps<Table>) {
  const device = useDevice()
  const { table, dialog: Dialog, open, onClose } = props
  const correction = useCorrection(table)
  return (
    <>
      {correction && (
        <Dialog key={correction.rowId} open onClose={() => clearCurrentCorrection(device)} correction={correction} />
      )}
      <Dialog open={open} onClose={onClose} />
    </>
  )
}
