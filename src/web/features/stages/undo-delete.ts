import type { Device } from '#web/data/browser/device.ts'
import { restoreStages } from '#web/data/change-stages.ts'
import { recordServerStep, removeServerStep } from '#web/data/changes/server-steps.ts'
import { toast } from '#web/ui/toast.ts'

/** The stages that a delete has removed, and their pipeline if it was deleted with them. */
interface DeletedStages {
  stageIds: readonly string[]
  pipelineId: string | null
}

/**
 * Adds a delete of stages as a step of undo, so that Ctrl+Z undoes it. Returns the function that undoes it, for the toast. The delete cannot be
 * redone.
 */
export function addUndoOfDelete(device: Device, deleted: DeletedStages): () => void {
  const undo = () => void undoDelete(device, deleted)
  recordServerStep(device, stepIdOf(deleted), undo)
  return undo
}

/** Restores stages with their deals. The step of undo stays if the server did not answer. */
async function undoDelete(device: Device, deleted: DeletedStages): Promise<void> {
  const { stageIds, pipelineId } = deleted
  removeServerStep(device, stepIdOf(deleted))
  const outcome = await restoreStages(device, stageIds, pipelineId)
  if (outcome.status !== 'refused') return toast.success(pipelineId ? 'Pipeline brought back' : 'Stage brought back')
  if (outcome.code === null) addUndoOfDelete(device, deleted)
  toast.error('Undo failed', { description: outcome.message })
}

function stepIdOf({ stageIds, pipelineId }: DeletedStages): string {
  return pipelineId ?? stageIds[0] ?? ''
}
