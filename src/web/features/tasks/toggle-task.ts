import { toastDescription } from '#web/crm/toast-description.ts'
import { beginUndoable } from '#web/crm/undo-action.ts'
import type { Device } from '#web/data/browser/device.ts'
import type { TaskStatus } from '#web/data/server/rows.ts'
import { setTaskStatus } from '#web/data/tasks.ts'
import { toast } from '#web/ui/toast.ts'

/** Completes or reopens a task. Then shows a toast with 'Undo', or the error if the server refuses, with the texts of spec sections 4 and 8. */
export async function toggleTask(device: Device, id: string, status: TaskStatus): Promise<void> {
  const ownToast = toast.begin()
  const { run, options } = beginUndoable(device)
  const outcome = await run(() => setTaskStatus(device, id, status))
  if (outcome.status === 'refused') {
    ownToast.error('Failed to update task', { description: outcome.message })
    return
  }
  const words = status === 'done' ? 'Task completed!' : 'Task reopened'
  ownToast.success(outcome.status === 'saved' ? words : 'Saved on this device', {
    ...toastDescription(device, 'tasks', id),
    ...options,
  })
}
