import { type KeyboardEvent, type SyntheticEvent, useEffect, useEffectEvent, useRef } from 'react'
import { limits } from '#shared/limits.ts'
import { useDevice } from '#web/data/browser/device.ts'
import { updateRecord } from '#web/data/changes/update-record.ts'
import type { Deal } from '#web/data/server/rows.ts'
import { failureOf } from '#web/data/session/outcome.ts'
import { isComposing } from '#web/lib/is-composing.ts'
import { giveFocus, tryEachFrame } from '#web/ui/focus.ts'
import { toast } from '#web/ui/toast.ts'

/** Maximum number of frames to wait until the list has measured a new card, which is hidden until then: two seconds. */
const maxWaitFrames = 120

/**
 * The field over the name of a card that was just created with a column's plus button. Enter and leaving the field save the name; Escape,
 * or an empty field, keep the old name. After Enter and Escape the card has the focus.
 */
export function NameOnCard({ deal, onEnd }: { deal: Deal; onEnd: () => void }) {
  const device = useDevice()
  const field = useRef<HTMLInputElement>(null)
  const typed = useRef(deal.name)
  const isEnded = useRef(false)

  useEffect(() => {
    const element = field.current
    void tryEachFrame(() => !element?.isConnected || giveFocus(element), maxWaitFrames).then(() => element?.select())
  }, [])

  const endNaming = async (mustSave: boolean) => {
    if (isEnded.current) return
    isEnded.current = true
    const name = typed.current.trim()
    onEnd()
    if (!mustSave || name === '' || name === deal.name) return
    const failure = await failureOf(updateRecord(device, 'deals', deal.id, { name }))
    if (failure) toast.error('Error updating deal', { description: failure })
  }
  // Back removes the field without a blur event.
  const saveOnRemoval = useEffectEvent(() => {
    if (typed.current !== deal.name) void endNaming(true)
  })
  useEffect(() => () => saveOnRemoval(), [])

  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation()
    if ((event.key !== 'Enter' && event.key !== 'Escape') || isComposing(event)) return
    event.preventDefault()
    void endNaming(event.key === 'Enter')
    giveFocus(event.currentTarget.closest('[data-deal]'))
  }

  return (
    <span className="field-frame absolute right-0 -left-2 -inset-y-1.5 max-sm:-inset-y-3">
      <input
        ref={field}
        defaultValue={deal.name}
        onKeyDown={handleKey}
        onChange={(event) => {
          typed.current = event.target.value
        }}
        onBlur={() => void endNaming(true)}
        // Events in the field must neither lift nor open the card.
        onPointerDown={stopPropagation}
        onMouseDown={stopPropagation}
        onTouchStart={stopPropagation}
        onClick={stopPropagation}
        aria-label="Deal name"
        maxLength={limits.deals.name}
        autoComplete="off"
        enterKeyHint="done"
        className="h-full w-full min-w-0 rounded-control bg-transparent px-2 font-medium select-text max-sm:text-base"
      />
    </span>
  )
}

function stopPropagation(event: SyntheticEvent): void {
  event.stopPropagation()
}
