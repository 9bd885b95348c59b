import { describedBy } from '#web/crm/described-by.ts'
import { undoable } from '#web/crm/undo-action.ts'
import type { Device } from '#web/data/browser/device.ts'
import { moveDeal, reloadBoard } from '#web/data/deals.ts'
import type { Deal } from '#web/data/server/rows.ts'
import { toast } from '#web/ui/toast.ts'
import { lostReasonOffer } from './lost-reason-offer.tsx'

/**
 * Moves a deal and shows the result, with the texts of spec section 8; in a lost stage it offers to say why. The preview is on the board before this returns; a refusal removes
 * it and reloads the board. False when it was refused.
 */
export async function moveWithToast(
  device: Device,
  deal: Pick<Deal, 'id' | 'stage_id'>,
  stageId: string,
): Promise<boolean> {
  const ownToast = toast.begin()
  const { run, options } = undoable(device)
  const outcome = await run(() => moveDeal(device, deal.id, stageId))
  if (outcome.status === 'refused') {
    ownToast.error('Error moving deal', { description: outcome.message })
    void reloadBoard(device)
    return false
  }
  const shown = { ...lostReasonOffer(device, [deal.id], stageId), ...options }
  if (outcome.status === 'saved') ownToast.success('Deal moved successfully', shown)
  else ownToast.success('Saved on this device', { ...shown, ...describedBy(device, 'deals', deal.id) })
  return true
}
