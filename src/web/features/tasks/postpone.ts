import { beginUndoable } from '#web/crm/undo-action.ts'
import type { Device } from '#web/data/browser/device.ts'
import type { Task } from '#web/data/server/rows.ts'
import { updateRecord } from '#web/data/changes/update-record.ts'
import { daysFromToday, isoToLocal } from '#web/lib/dates.ts'
import { toast } from '#web/ui/toast.ts'

/** Days from today. */
export const daysUntilTomorrow = 1
export const daysUntilNextWeek = 7

/**
 * Returns the possible postponements of a task, in days from today. The day on which the task is due is left out, also if it was set in
 * another time zone, where the same day ends at another moment.
 */
export function postponements({ due_at }: Pick<Task, 'due_at'>, now: Date): readonly number[] {
  return [daysUntilTomorrow, daysUntilNextWeek].filter(
    (days) => isoToLocal(daysFromToday(days, due_at, now)) !== isoToLocal(due_at),
  )
}

/**
 * Sets a task's due date to the given number of days from today. The due date keeps its time of day, or stays without a time; a task without a
 * due date gets 09:00. Shows a toast with 'Undo', because the task moves in the list. If the server refuses, the toast is 'Failed to update
 * task' with the message.
 */
export async function postponeTask(
  device: Device,
  task: Pick<Task, 'id' | 'title' | 'due_at'>,
  days: number,
): Promise<void> {
  const ownToast = toast.begin()
  const { run, options } = beginUndoable(device)
  const due_at = daysFromToday(days, task.due_at)
  const outcome = await run(() => updateRecord(device, 'tasks', task.id, { due_at }, `Postpone “${task.title}”`))
  if (outcome.status === 'refused') return ownToast.error('Failed to update task', { description: outcome.message })
  const words = days === daysUntilTomorrow ? 'Postponed to tomorrow' : 'Postponed to next week'
  ownToast.success(outcome.status === 'saved' ? words : 'Saved on this device', {
    description: task.title,
    ...options,
  })
}
