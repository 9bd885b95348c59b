import { editsRows, type Operation, rowIdsOf } from '#web/data/store/operation.ts'
import { newId } from '#web/lib/new-id.ts'

/**
 * Returns an edit in the state 'deleted' as it is sent after its record was restored: with a new key. The version of the restored row is not known.
 * With version 0, the sender reads the row first.
 */
export function asSentAfterRestore(edit: Operation): Operation {
  return { ...edit, id: newId(), state: 'waiting', reason: null, theirsAt: null, theirsBy: null, version: 0 }
}

/** Returns the edits that wait because of a delete, and all of whose records are among the restored ones (`ids`), as they are sent now. */
export function editsToSendAfterRestore(
  queued: readonly Operation[],
  { brandId, table }: Pick<Operation, 'brandId' | 'table'>,
  ids: ReadonlySet<string>,
): Operation[] {
  return queued
    .filter((edit) => edit.state === 'deleted' && editsRows(edit) && edit.brandId === brandId && edit.table === table)
    .filter((edit) => rowIdsOf(edit).every((id) => ids.has(id)))
    .map(asSentAfterRestore)
}
