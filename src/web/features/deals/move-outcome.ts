import type { Device } from '#web/data/browser/device.ts'
import { moveDeal, reloadBoard } from '#web/data/deals.ts'
import type { Deal } from '#web/data/server/rows.ts'
import { toast } from '#web/ui/toast.ts'

/**
 * Moves a deal and shows the result, with the texts of spec section 8. The preview is on the board before this returns; a refusal removes
 * it and reloads the board. False when it was refused.
 */
export async function moveWithToast(
  device: Device,
  deal: Pick<Deal, 'id' | 'stage_id'>,
  stageId: string,
): Promise<boolean> {
  const from = deal.stage_id
  const ownToast = toast.begin()
  const outcome = await moveDeal(device, deal.id, stageId)
  if (outcome.status === 'refused') {
    ownToast.error('Error moving deal', { description: outcome.message })
    void reloadBoard(device)
    return false
  }
  ownToast.success(outcome.status === 'saved' ? 'Deal moved successfully' : 'Saved on this device', {
    action: {
      label: 'Undo',
      run: () => void moveWithToast(device, { id: deal.id, stage_id: stageId }, from),
    },
  })
  return true
}
