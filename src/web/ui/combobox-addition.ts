import { useState } from 'react'
import type { Addition, Choice } from '#web/lib/choice.ts'
import { toast } from './toast.ts'

/** The id of the option 'Add “…”'. No other option has this id. */
const additionId = 'add'

/**
 * Makes the option 'Add “…”' of a combobox. `offered` is the option, or null if there is none. `take` chooses the option. While the record is
 * being created, `adding` is its name, otherwise null. Afterwards `onChange` gets the record, or a toast shows the refusal.
 */
export function useAddition(
  addition: Addition | undefined,
  text: string | null,
  options: readonly Choice[],
  onChange: (value: Choice | null) => void,
) {
  const [adding, setAdding] = useState<string | null>(null)
  const typed = text?.trim() ?? ''
  const offer = typed === '' ? null : (addition?.offer(typed) ?? null)
  const isAlreadyOption = options.some((option) => hasLabelOrDetail(option, offer?.matchText ?? typed))
  const offered: Choice | null =
    offer === null || isAlreadyOption
      ? null
      : { id: additionId, label: `Add “${offer.name}”`, detail: offer.detail ?? null }

  const take = async () => {
    if (!addition || offer === null) return
    setAdding(offer.name)
    const outcome = await addition.make(typed)
    setAdding(null)
    if ('id' in outcome) onChange({ id: outcome.id, label: offer.name })
    else toast.error(addition.failure, { description: outcome.refused })
  }
  return { adding, offered, take: () => void take() }
}

/** Whether a text is the label or the detail (an email address) of this option. Case-insensitive. */
export function hasLabelOrDetail({ label, detail }: Choice, text: string): boolean {
  return isSameText(label, text) || isSameText(detail ?? '', text)
}

function isSameText(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}
