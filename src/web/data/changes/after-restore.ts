import { editsRows, type Operation, rowIdsOf } from '#web/data/store/operation.ts'
import { newId } from '#web/lib/new-id.ts'

/**
 * Returns a copy of an edit in the state 'deleted' that can be sent, because its record was restored. The copy has a new idempotency key (`id`). The
 * version of the restored row is not known: with version 0, the sender reads the row first.
 */
export function resendableEdit(edit: Operation): Operation {
  return { ...edit, id: newId(), state: 'waiting', reason: null, theirsAt: null, theirsBy: null, version: 0 }
}

/** Returns the edits that can be sent again because all their records were restored (`ids`), ready to be sent. */
export function editsToSendAfterRestore(
  queued: readonly Operation[],
  { brandId, table }: Pick<Operation, 'brandId' | 'table'>,
  ids: ReadonlySet<string>,
): Operation[] {
  return queued
    .filter((edit) => edit.state === 'deleted' && editsRows(edit) && edit.brandId === brandId && edit.table === table)
    .filter((edit) => rowIdsOf(edit).every((id) => ids.has(id)))
    .map(resendableEdit)
}
