import { toastDescription } from '#web/crm/toast-description.ts'
import { beginUndoable } from '#web/crm/undo-action.ts'
import type { Device } from '#web/data/browser/device.ts'
import { moveDeal, reloadBoard } from '#web/data/deals.ts'
import type { Deal } from '#web/data/server/rows.ts'
import { toast } from '#web/ui/toast.ts'
import { lostReasonOffer } from './lost-reason-offer.tsx'

/**
 * Moves a deal and shows the result in a toast, with the texts of spec section 8. After a move to a lost stage the toast offers lost
 * reasons. The board shows the preview as soon as this function is called. If the server refuses, the preview is removed and the board
 * reloaded, and the promise resolves to false.
 */
export async function moveWithToast(
  device: Device,
  deal: Pick<Deal, 'id' | 'stage_id'>,
  stageId: string,
): Promise<boolean> {
  const ownToast = toast.begin()
  const { run, options } = beginUndoable(device)
  const outcome = await run(() => moveDeal(device, deal.id, stageId))
  if (outcome.status === 'refused') {
    ownToast.error('Error moving deal', { description: outcome.message })
    void reloadBoard(device)
    return false
  }
  const toastOptions = { ...lostReasonOffer(device, [deal.id], stageId), ...options }
  if (outcome.status === 'saved') ownToast.success('Deal moved successfully', toastOptions)
  else ownToast.success('Saved on this device', { ...toastOptions, ...toastDescription(device, 'deals', deal.id) })
  return true
}
