import type { Device } from '#web/data/browser/device.ts'
import { deleteRecords } from '#web/data/changes/delete-records.ts'
import { rowWordsOf } from '#web/data/changes/record-words.ts'
import type { RecordTable } from '#web/data/store/record-tables.ts'
import { countOf } from '#web/lib/count.ts'
import { toast } from '#web/ui/toast.ts'
import { toastDescription } from './toast-description.ts'
import { beginUndoable } from './undo-action.ts'
// The code of 'Undo' is loaded together with this file, so that a record that was deleted offline can be restored offline.
import './undo-toasts.ts'

/**
 * Deletes records at once and shows a toast with 'Undo' for ten seconds: 'Contact deleted' with the contact's name, or '3 contacts deleted'. If the
 * server refuses the delete, a toast shows its message. `one`: the word for one record, 'contact'.
 */
export function deleteWithUndo(
  device: Device,
  table: RecordTable,
  ids: readonly string[],
  one = rowWordsOf(table).one,
): void {
  const { many } = rowWordsOf(table)
  const isOne = ids.length === 1
  const { run, options } = beginUndoable(device)
  const description = isOne ? toastDescription(device, table, ids[0]) : {}
  const outcome = run(() => deleteRecords(device, table, ids))
  toast.success(isOne ? `${capitalised(one)} deleted` : `${countOf(ids.length, one, many)} deleted`, {
    ...description,
    ...options,
  })
  void outcome.then((result) => {
    if (result.status === 'refused')
      toast.error(`Error deleting ${isOne ? one : many}`, { description: result.message })
  })
}

/** Writes the first letter of a word as a capital: 'deal' becomes 'Deal'. */
export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
