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
 * already; does nothing if none remains. If the server refuses, the board is reloaded.
 */
export async function moveDeals(device: Device, ids: readonly string[], stageId: string): Promise<void> {
  const moved = ids.filter((id) => {
    const from = stageOfDeal(device, id)
    return from && from !== stageId
  })
  if (moved.length === 0) return
  const ownToast = toast.begin()
  const { run, options } = beginUndoable(device)
  const outcome = await run(() => updateRecords(device, 'deals', moved, { stage_id: stageId }))
  if (outcome.status === 'refused') {
    ownToast.error('Error moving deal', { description: outcome.message })
    return reloadBoard(device)
  }
  const done = moved.length === 1 ? 'Deal moved successfully' : `${countOf(moved.length, 'deal', 'deals')} moved`
  const shown = { ...lostReasonOffer(device, moved, stageId), ...options }
  if (outcome.status === 'saved') return ownToast.success(done, shown)
  const described = moved.length === 1 ? toastDescription(device, 'deals', moved[0]) : { description: done }
  ownToast.success('Saved on this device', { ...shown, ...described })
}
