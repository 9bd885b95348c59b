import type { Device } from '#web/data/browser/device.ts'
import { askServer, noAnswerMessage } from '#web/data/server/ask-server.ts'
import { type Operation, rowIdsOf } from '#web/data/store/operation.ts'

/**
 * Restores the deleted records of an operation on the server. Rejects with a sentence for the user if the server does not answer or the records
 * cannot be restored.
 */
export async function restoreOnServer(device: Device, operation: Operation): Promise<void> {
  const args = { p_brand_id: operation.brandId, p_table: operation.table, p_ids: rowIdsOf(operation) }
  const { data, error, status } = await askServer(device, (server) => server.rpc('restore_records', args))
  if (error) throw new Error(status === 0 ? noAnswerMessage : error.message)
  if (Array.isArray(data) && data.length === 0 && !(await isOnServer(device, operation)))
    throw new Error(
      'It cannot be brought back: it was deleted too long ago, or another record now has a value that must be unique.',
    )
}

/** Whether the operation's row exists on the server. Somebody else may have restored it. Rejects with a sentence for the user if no answer came. */
async function isOnServer(device: Device, { table, brandId, rowId }: Operation): Promise<boolean> {
  const { data, error, status } = await askServer(device, (server) =>
    server.from(table).select('id').eq('brand_id', brandId).eq('id', rowId),
  )
  if (error) throw new Error(status === 0 ? noAnswerMessage : error.message)
  return data.length > 0
}
