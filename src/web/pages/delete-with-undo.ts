import { deleteRecords, restoreRecords } from '#web/data/changes/delete-records.ts'
import type { RecordTable } from '#web/data/store/record-tables.ts'
import { nouns } from '#web/data/changes/record-words.ts'
import { countOf } from '#web/lib/count.ts'
import { undoToast } from '#web/ui/undo-toast.ts'

/** Deletes records at once, with 'Undo' for ten seconds: 'Contact deleted', '3 contacts deleted'. */
export function deleteWithUndo(table: RecordTable, ids: readonly string[]): void {
  const { one, many } = nouns[table]
  undoToast({
    done: ids.length === 1 ? `${capitalised(one)} deleted` : `${countOf(ids.length, one, many)} deleted`,
    failed: `Error deleting ${ids.length === 1 ? one : many}`,
    outcome: deleteRecords(table, ids),
    undo: () => restoreRecords(table, ids),
  })
}

/** 'deal' -> 'Deal'. */
export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
