import { deleteRecords, restoreRecords } from '#web/data/changes/delete-records.ts'
import { undoToast } from '#web/ui/undo-toast.ts'

/** Deletes deals at once, with 'Undo' for ten seconds. */
export function deleteDeals(ids: readonly string[]): void {
  const one = ids.length === 1
  undoToast({
    done: one ? 'Deal deleted' : `${ids.length} deals deleted`,
    failed: one ? 'Error deleting deal' : 'Error deleting deals',
    outcome: deleteRecords('deals', ids),
    undo: () => restoreRecords('deals', ids),
  })
}
