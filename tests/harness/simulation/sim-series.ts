import { stepsOf } from '#web/data/changes/steps.ts'
import { undoStep } from '#web/data/changes/undo-step.ts'
import { updateRecord } from '#web/data/changes/update-record.ts'
import { setTaskStatus } from '#web/data/tasks.ts'
import { nextTaskId } from '#web/lib/series.ts'
import type { SimDevice } from './sim-device.ts'

const repetitions = [
  'daily UTC',
  'workdays Europe/London',
  'weekly 3 America/New_York',
  'monthly 31 Asia/Kolkata',
  null,
]

/**
 * Returns a random action with its weight: makes a task repeat, completes it, completes it and undoes that, completes the next task, or reopens the
 * task.
 */
export function seriesActions(
  { device, data }: SimDevice,
  random: () => number,
  task: string | undefined,
): [number, () => void][] {
  const quiet = (outcome: Promise<unknown> | undefined) => void outcome?.catch(() => {})
  /** Completes a task and undoes exactly this step: the undo of another edit would write an older text again, and count as a second arrival of it. */
  const completeAndUndo = (id: string) => {
    const lastStep = () => data && stepsOf(data).done.at(-1)
    const before = lastStep()
    const outcome = setTaskStatus(device, id, 'done')
    const step = lastStep()
    quiet(step && step !== before ? outcome.then(() => undoStep(device, step)?.outcome) : outcome)
  }
  const run = () => {
    if (task === undefined) return
    const chance = random()
    const next = nextTaskId(task)
    if (chance < 0.4)
      quiet(
        updateRecord(device, 'tasks', task, {
          repeats: repetitions[Math.floor(random() * repetitions.length)] ?? null,
        }),
      )
    else if (chance < 0.6) quiet(setTaskStatus(device, task, 'done'))
    else if (chance < 0.75) completeAndUndo(task)
    else if (data?.tables.tasks.get(next)) quiet(setTaskStatus(device, next, 'done'))
    else quiet(setTaskStatus(device, task, 'open'))
  }
  return [[8, run]]
}
