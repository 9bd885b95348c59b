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
 * Returns a random action with its weight: sets or removes the repetition of a task, completes the task, completes it and undoes that, completes the
 * next task of the series, or reopens the task.
 */
export function seriesActions(
  { device, data }: SimDevice,
  random: () => number,
  taskId: string | undefined,
): [number, () => void][] {
  const ignoreFailure = (outcome: Promise<unknown> | undefined) => void outcome?.catch(() => {})
  /** Completes a task and undoes exactly this step. The undo of another edit would write an older text again, which counts as a second arrival. */
  const completeAndUndo = (id: string) => {
    const lastStep = () => data && stepsOf(data).done.at(-1)
    const stepBefore = lastStep()
    const outcome = setTaskStatus(device, id, 'done')
    const step = lastStep()
    ignoreFailure(step && step !== stepBefore ? outcome.then(() => undoStep(device, step)?.outcome) : outcome)
  }
  const runSeriesAction = () => {
    if (taskId === undefined) return
    const chance = random()
    const nextId = nextTaskId(taskId)
    if (chance < 0.4)
      ignoreFailure(
        updateRecord(device, 'tasks', taskId, {
          repeats: repetitions[Math.floor(random() * repetitions.length)] ?? null,
        }),
      )
    else if (chance < 0.6) ignoreFailure(setTaskStatus(device, taskId, 'done'))
    else if (chance < 0.75) completeAndUndo(taskId)
    else if (data?.tables.tasks.get(nextId)) ignoreFailure(setTaskStatus(device, nextId, 'done'))
    else ignoreFailure(setTaskStatus(device, taskId, 'open'))
  }
  return [[8, runSeriesAction]]
}
