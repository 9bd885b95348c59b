import type { Device } from '#web/data/browser/device.ts'
import { deleteRecords, restoreRecords } from '#web/data/changes/delete-records.ts'
import { nounOf } from '#web/data/changes/record-words.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import type { RecordTable } from '#web/data/store/record-tables.ts'
import { countOf } from '#web/lib/count.ts'
import { toast } from '#web/ui/toast.ts'

/**
 * Deletes records at once and says so, with 'Undo' for ten seconds: 'Contact deleted', '3 contacts deleted'. When the server refuses the
 * delete or the undo, a toast gives its message.
 */
export function deleteWithUndo(device: Device, table: RecordTable, ids: readonly string[]): void {
  const { one, many } = nounOf(table)
  const isOne = ids.length === 1
  const outcome = deleteRecords(device, table, ids)
  const undo = () => void restoreRecords(device, table, ids).then((result) => showRefusal('Undo failed', result))
  toast.success(isOne ? `${capitalised(one)} deleted` : `${countOf(ids.length, one, many)} deleted`, {
    action: { label: 'Undo', run: undo },
  })
  void outcome.then((result) => showRefusal(`Error deleting ${isOne ? one : many}`, result))
}

/** 'deal' -> 'Deal'. */
export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function showRefusal(title: string, outcome: Outcome): void {
  if (outcome.status === 'refused') toast.error(title, { description: outcome.message })
}
