import { toastDescription } from '#web/crm/toast-description.ts'
import { beginUndoable } from '#web/crm/undo-action.ts'
import type { Device } from '#web/data/browser/device.ts'
import { reloadBoard, stageOfDeal } from '#web/data/deals.ts'
import { updateRecords } from '#web/data/changes/update-record.ts'
import { countOf } from '#web/lib/count.ts'
import { toast } from '#web/ui/toast.ts'
import { lostReasonOffer } from './lost-reason-offer.tsx'

/**
 * Moves several deals to a stage and shows the result in a toast. 'Undo' moves each deal back. Leaves out deals that are in the stage
 * already or are unknown; does nothing if none remains. If the server refuses, the board is reloaded.
 */
export async function moveDeals(device: Device, ids: readonly string[], stageId: string): Promise<void> {
  const movedIds = ids.filter((id) => {
    const from = stageOfDeal(device, id)
    return from && from !== stageId
  })
  if (movedIds.length === 0) return
  const ownToast = toast.begin()
  const { run, options } = beginUndoable(device)
  const outcome = await run(() => updateRecords(device, 'deals', movedIds, { stage_id: stageId }))
  if (outcome.status === 'refused') {
    ownToast.error('Error moving deal', { description: outcome.message })
    return reloadBoard(device)
  }
  const successText =
    movedIds.length === 1 ? 'Deal moved successfully' : `${countOf(movedIds.length, 'deal', 'deals')} moved`
  const toastOptions = { ...lostReasonOffer(device, movedIds, stageId), ...options }
  if (outcome.status === 'saved') return ownToast.success(successText, toastOptions)
  const description =
    movedIds.length === 1 ? toastDescription(device, 'deals', movedIds[0]) : { description: successText }
  ownToast.success('Saved on this device', { ...toastOptions, ...description })
}
