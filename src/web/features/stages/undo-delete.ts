import type { Device } from '#web/data/browser/device.ts'
import { restoreStages } from '#web/data/change-stages.ts'
import { toast } from '#web/ui/toast.ts'

/** Restores stages with their deals, and their pipeline if it was deleted with them. */
export async function undoDelete(
  device: Device,
  stageIds: readonly string[],
  pipelineId: string | null,
): Promise<void> {
  const outcome = await restoreStages(device, stageIds, pipelineId)
  if (outcome.status === 'refused') toast.error('Undo failed', { description: outcome.message })
  else toast.success(pipelineId ? 'Pipeline brought back' : 'Stage brought back')
}
