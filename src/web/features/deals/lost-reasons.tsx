import { type KeyboardEvent, useEffect, useState } from 'react'
import { limits } from '#shared/limits.ts'
import { toastDescription } from '#web/crm/toast-description.ts'
import { beginUndoable } from '#web/crm/undo-action.ts'
import type { Device } from '#web/data/browser/device.ts'
import { updateRecords } from '#web/data/changes/update-record.ts'
import { useLostDeals } from '#web/data/lost-deals.ts'
import { lostReasonsOf } from '#web/data/pipelines.ts'
import { cx } from '#web/lib/class-names.ts'
import { isComposing } from '#web/lib/is-composing.ts'
import { addBackLayer } from '#web/ui/back-layers.ts'
import { CheckIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/toast.ts'
import { useBackCloses } from '#web/ui/use-back-closes.ts'

/** The maximum number of offered reasons of the pipeline, in the order set in Settings, and of further reasons that the deals have. */
const maxOfferedReasons = 5

const chipClasses =
  'h-7 rounded-full bg-white/12 px-3 font-medium text-toast-ink hover:bg-white/20 max-sm:h-11 max-sm:px-4 focus-visible:outline-2 focus-visible:outline-toast-act'

/**
 * Shown below the toast of a move to a lost stage: the lost reasons of its pipeline, and a field for another reason. Escape and Back
 * return from the field to the reasons; the typed text is kept as long as the toast is shown. The reason is saved only for deals that are
 * still lost. If no deal is lost any more, for example because a colleague has moved it, the toast is dismissed. A reason that deals have from an
 * earlier loss is marked, because they keep this reason if the toast is dismissed.
 */
export function LostReasons({
  device,
  dealIds,
  stageId,
}: {
  device: Device
  dealIds: readonly string[]
  stageId: string
}) {
  /** Whether the field is shown; null if it has not been shown yet. */
  const [isFieldShown, setFieldShown] = useState<boolean | null>(null)
  const [text, setText] = useState('')
  const leaveField = () => setFieldShown(false)
  useBackCloses(isFieldShown === true, leaveField, addBackLayer)
  const lostDeals = useLostDeals(device, dealIds)
  const isNoDealLost = lostDeals.length === 0
  useEffect(() => {
    if (isNoDealLost) toast.dismiss()
  }, [isNoDealLost])
  const earlierReasons = new Set(lostDeals.flatMap(({ reason }) => reason ?? []))
  const reasons = [
    ...new Set([
      ...lostReasonsOf(device, stageId).slice(0, maxOfferedReasons),
      ...[...earlierReasons].slice(0, maxOfferedReasons),
    ]),
  ]
  const isReasonOfAll = (reason: string) => lostDeals.every((deal) => deal.reason === reason)
  const chooseReason = (reason: string) => {
    const lostIds = lostDeals.map(({ id }) => id)
    if (reason.trim() && !isReasonOfAll(reason.trim())) void saveReason(device, lostIds, reason)
    else toast.dismiss()
  }
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event)) return
    if (event.key === 'Enter') chooseReason(text)
    else if (event.key === 'Escape') leaveField()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      role="group"
      aria-label="Lost reason"
      className="flex min-w-0 basis-full flex-wrap items-center gap-1.5 pb-1 pl-7 max-sm:pl-0"
    >
      {isFieldShown ? (
        <input
          autoFocus
          aria-label="Lost reason"
          placeholder="Reason, then Enter"
          maxLength={limits.deals.lost_reason}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={handleKey}
          className="h-7 min-w-0 flex-1 rounded-control bg-white/12 px-3 text-toast-ink placeholder:text-toast-ink/60 max-sm:h-11 max-sm:text-base"
        />
      ) : (
        <>
          {reasons.map((reason) => (
            <button
              key={reason}
              type="button"
              aria-pressed={isReasonOfAll(reason) || (earlierReasons.has(reason) && 'mixed')}
              className={cx(chipClasses, 'inline-flex max-w-full items-center gap-1')}
              onClick={() => chooseReason(reason)}
            >
              {earlierReasons.has(reason) && <CheckIcon className="size-3.5 shrink-0 text-toast-act" />}
              <span className="truncate">{reason}</span>
            </button>
          ))}
          <button
            type="button"
            autoFocus={isFieldShown === false}
            className={chipClasses}
            onClick={() => setFieldShown(true)}
          >
            {reasons.length > 0 ? 'Other…' : 'Say why…'}
          </button>
        </>
      )}
    </div>
  )
}

async function saveReason(device: Device, dealIds: readonly string[], reason: string): Promise<void> {
  const ownToast = toast.begin()
  const { run, options } = beginUndoable(device)
  const outcome = await run(() => updateRecords(device, 'deals', dealIds, { lost_reason: reason }))
  if (outcome.status === 'refused') return ownToast.error('Error saving lost reason', { description: outcome.message })
  const dealDescription = dealIds.length === 1 ? toastDescription(device, 'deals', dealIds[0]) : {}
  ownToast.success(outcome.status === 'saved' ? `Lost reason: ${reason.trim()}` : 'Saved on this device', {
    ...dealDescription,
    ...options,
  })
}
