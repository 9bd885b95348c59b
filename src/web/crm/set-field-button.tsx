import { useState } from 'react'
import { useCustomFields } from '#web/data/custom-fields.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import { Button } from '#web/ui/button.tsx'
import { EditIcon } from '#web/ui/icons.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { selectionActionClasses } from '#web/ui/selection-bar.tsx'

const SetFieldDialog = lazyDialog(async () => (await import('./set-field-dialog.tsx')).SetFieldDialog)

interface SetFieldButtonProps {
  table: OwnedTable
  /** The number of selected records. */
  count: number
  /** The selected records. Undefined if all records that match a query are selected. */
  ids?: readonly string[]
  /** Called when the person confirms the dialog. It must write `value` to the selected records; null empties the field. */
  onSet: (field: CustomField, value: unknown) => void
}

/**
 * The button in the bar of selected rows that opens the dialog to set a custom field. Renders nothing for a table without custom fields.
 */
export function SetFieldButton({ table, count, ids, onSet }: SetFieldButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const hasFields = useCustomFields(table).length > 0
  // The open dialog stays if the last field is retired meanwhile, and says so.
  if (!hasFields && !isOpen) return null
  return (
    <>
      <Button variant="quiet" icon={<EditIcon />} className={selectionActionClasses} onClick={() => setOpen(true)}>
        Set field…
      </Button>
      <SetFieldDialog open={isOpen} {...{ table, count, ids, onSet }} onClose={() => setOpen(false)} />
    </>
  )
}
