import type { Device } from '#web/data/browser/device.ts'
import { recordWords } from '#web/data/changes/record-words.ts'
import { updateRecords } from '#web/data/changes/update-record.ts'
import { combinedOutcome, type Outcome } from '#web/data/session/outcome.ts'
import { openBrand } from '#web/data/store/brand-data.ts'

/**
 * Moves deals to a stage. Screens show the move before this function returns, also offline. A deal that was not lost and moves to a lost stage loses
 * the reason of an earlier loss. An undo of the move restores this reason, too.
 */
export async function moveToStage(device: Device, ids: readonly string[], stageId: string): Promise<Outcome> {
  const tables = openBrand(device).get()?.tables
  const stage = tables?.deal_stages.get(stageId)
  const hasOldReason = (id: string) => {
    const deal = tables?.deals.get(id)
    return !!deal?.lost_reason && stage?.kind === 'lost' && tables?.deal_stages.get(deal.stage_id)?.kind !== 'lost'
  }
  const move = (movedIds: readonly string[], patch: { stage_id: string; lost_reason?: null }) => {
    const title = `Move ${recordWords(
      'deals',
      movedIds.map((id) => tables?.deals.get(id)),
    )} to ${stage?.name ?? ''}`
    return movedIds.length > 0 ? [updateRecords(device, 'deals', movedIds, patch, title)] : []
  }
  const outcome = await combinedOutcome([
    ...move(
      ids.filter((id) => !hasOldReason(id)),
      { stage_id: stageId },
    ),
    ...move(ids.filter(hasOldReason), { stage_id: stageId, lost_reason: null }),
  ])
  const isStageGone = outcome.status === 'refused' && outcome.code === '23503'
  return isStageGone ? { ...outcome, message: 'This stage was deleted meanwhile.' } : outcome
}
