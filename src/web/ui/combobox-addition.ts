import { useState } from 'react'
import type { ComboboxOption } from './combobox-option.ts'
import { toast } from './toast.ts'

/** A record that a combobox can make of what was typed and not found. */
export interface ComboboxAddition {
  /** The record that this text would make, as the option says it: 'Carver Ltd'. Null: of this text none can be made. */
  offer: (text: string) => string | null
  /** Makes it. Its id, also where it waits on this device, or why it was refused. */
  make: (text: string) => Promise<{ id: string } | { refused: string }>
  /** Title of the toast when it was refused: 'Error adding company'. */
  failure: string
  /** Said when nothing matches: what has to be typed to make one. */
  hint: string
}

/** The id of the option that adds; no record has it. */
const ADD = 'add'

/**
 * The option 'Add “…”' of a combobox: `offered` is it or null, `take` chooses it, and `adding` is the name of what is being made until
 * `onChange` has been told.
 */
export function useAddition(
  addition: ComboboxAddition | undefined,
  text: string | null,
  options: readonly ComboboxOption[],
  onChange: (value: ComboboxOption | null) => void,
) {
  const [adding, setAdding] = useState<string | null>(null)
  const typed = text?.trim() ?? ''
  const name = typed === '' ? null : (addition?.offer(typed) ?? null)
  const isHere = options.some((option) => isNamed(option, typed))
  const offered: ComboboxOption | null = name === null || isHere ? null : { id: ADD, label: `Add “${name}”` }

  const take = async () => {
    if (!addition || name === null) return
    setAdding(name)
    const made = await addition.make(typed)
    setAdding(null)
    if ('id' in made) onChange({ id: made.id, label: name })
    else toast.error(addition.failure, { description: made.refused })
  }
  return { adding, offered, take: () => void take() }
}

/** Whether the text is the name of this option, or what stands beside it (an e-mail), without regard to case. */
export function isNamed({ label, detail }: ComboboxOption, text: string): boolean {
  return isSame(label, text) || isSame(detail ?? '', text)
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
