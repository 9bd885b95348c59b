import type { Device } from '#web/data/browser/device.ts'
import { queue } from '#web/data/store/queue.ts'
import { textOf } from '#web/lib/read-unknown.ts'

/**
 * Returns the stored text of a note that an operation of the queue adds, edits or restores, if the server refused the operation or the note was
 * deleted. Otherwise null.
 */
export function refusedNoteText(device: Device, operationId: string): string | null {
  const operation = queue(device)
    .get()
    .operations.find(({ id }) => id === operationId)
  if (operation?.table !== 'notes' || (operation.state !== 'failed' && operation.state !== 'deleted')) return null
  return textOf(operation.values, 'body') ?? textOf(operation.restored?.[operation.rowId], 'body')
}
