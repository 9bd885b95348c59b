import { beginUndoable } from '#web/crm/undo-action.ts'
import type { Device } from '#web/data/browser/device.ts'
import { updateRecord } from '#web/data/changes/update-record.ts'
import type { Task } from '#web/data/server/rows.ts'
import { failureOf } from '#web/data/session/outcome.ts'
import { toast } from '#web/ui/toast.ts'

/**
 * Removes the due date of a repeating task, and with it the repetition. Then shows a toast with 'Undo' and resolves to null. If the server refuses,
 * there is no toast, and the promise resolves to the server's message.
 */
export async function endSeries(
  device: Device,
  { id, title }: Pick<Task, 'id' | 'title'>,
): ReturnType<typeof failureOf> {
  const ownToast = toast.begin()
  const { run, options } = beginUndoable(device)
  const failure = await failureOf(run(() => updateRecord(device, 'tasks', id, { due_at: null, repeats: null })))
  if (failure === null)
    ownToast.success('Due date removed: the task no longer repeats', { description: title, ...options })
  return failure
}
