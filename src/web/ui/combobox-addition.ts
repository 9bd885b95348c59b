import { useState } from 'react'
import type { Addition, Choice } from '#web/lib/choice.ts'
import { toast } from './toast.ts'

/** The id of the option that adds; no other option has it. */
const additionId = 'add'

/**
 * The option 'Add “…”' of a combobox. `offered` is the option or null; `take` chooses it; `adding` is the name of the record being
 * created, until `onChange` is called with the record.
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
  const isHere = options.some((option) => isNamed(option, offer?.knownBy ?? typed))
  const offered: Choice | null =
    offer === null || isHere ? null : { id: additionId, label: `Add “${offer.name}”`, detail: offer.detail ?? null }

  const take = async () => {
    if (!addition || offer === null) return
    setAdding(offer.name)
    const made = await addition.make(typed)
    setAdding(null)
    if ('id' in made) onChange({ id: made.id, label: offer.name })
    else toast.error(addition.failure, { description: made.refused })
  }
  return { adding, offered, take: () => void take() }
}

/** Whether the text is the label or the detail (an e-mail address) of this option, case-insensitive. */
export function isNamed({ label, detail }: Choice, text: string): boolean {
  return isSame(label, text) || isSame(detail ?? '', text)
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
