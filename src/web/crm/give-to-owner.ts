import type { Device } from '#web/data/browser/device.ts'
import { rowWordsOf } from '#web/data/changes/record-words.ts'
import { updateRecord, updateRecords } from '#web/data/changes/update-record.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import type { OwnedTable, RecordTable } from '#web/data/store/record-tables.ts'
import { countOf } from '#web/lib/count.ts'
import { toast } from '#web/ui/toast.ts'
import { capitalised } from './delete-with-undo.ts'
import { toastDescription } from './toast-description.ts'
import { beginUndoable } from './undo-action.ts'

/**
 * Sets the owner of records (null: nobody) and shows a toast with 'Undo': '3 deals now with Ana Pryce'. `name` is the owner's name. 'Undo'
 * restores the former owner of each record.
 */
export async function setOwnerWithUndo(
  device: Device,
  table: OwnedTable,
  ids: readonly string[],
  ownerId: string | null,
  name: string,
): Promise<void> {
  const { one, many } = rowWordsOf(table)
  const toastText = `${countOf(ids.length, one, many)} now with ${name}`
  const refusalMessage = await runWithUndoToast(device, toastText, () =>
    updateRecords(device, table, ids, { owner_id: ownerId }),
  )
  if (refusalMessage !== null) toast.error(`Error updating ${many}`, { description: refusalMessage })
}

/** Sets the owner of one record in its panel, with 'Undo'. Resolves with the server's message if the server refuses, otherwise null. */
export function changeOwner(
  device: Device,
  table: OwnedTable,
  id: string,
  ownerId: string | null,
  name = 'no owner',
): Promise<string | null> {
  return runWithUndoToast(device, ownerChangeText(device, table, id, name), () =>
    updateRecord(device, table, id, { owner_id: ownerId }),
  )
}

/** Sets the assignee of a task in its panel, with 'Undo'. Resolves with the server's message if the server refuses, otherwise null. */
export function changeAssignee(
  device: Device,
  id: string,
  assigneeId: string | null,
  name = 'nobody',
): Promise<string | null> {
  return runWithUndoToast(device, ownerChangeText(device, 'tasks', id, name), () =>
    updateRecord(device, 'tasks', id, { assignee_id: assigneeId }),
  )
}

/** Describes the new owner of a record: 'Renewal 2027 now with Tom Hale'. */
function ownerChangeText(device: Device, table: RecordTable, id: string, name: string): string {
  return `${toastDescription(device, table, id).description ?? capitalised(rowWordsOf(table).one)} now with ${name}`
}

/** Makes an edit and shows a toast with 'Undo'. Resolves with the server's message if the server refuses, otherwise null. */
async function runWithUndoToast(
  device: Device,
  toastText: string,
  edit: () => Promise<Outcome>,
): Promise<string | null> {
  const ownToast = toast.begin()
  const { run, options } = beginUndoable(device)
  const outcome = await run(edit)
  if (outcome.status === 'refused') return outcome.message
  ownToast.success(toastText, options)
  return null
}
