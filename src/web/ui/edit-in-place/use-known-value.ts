import { useLayoutEffect, useRef } from 'react'
import type { SaveResult } from './edit-row.tsx'

/** A value as the person who edits it knows it. */
interface KnownValue {
  /** The text of the field when editing began, or when it was last saved while the field stayed open. */
  text: string
  /** The value that belongs to this text. */
  value: string
  /** True while the text is being saved and the field stays open. The next other value is then the person's own. */
  isBeingSaved: boolean
}

/** Keeps a value as the person who edits it knows it. `value` is the current value. */
export function useKnownValue(value: string) {
  const known = useRef<KnownValue>({ text: value, value, isBeingSaved: false })
  useLayoutEffect(() => {
    if (known.current.isBeingSaved && known.current.value !== value)
      Object.assign(known.current, { value, isBeingSaved: false })
  }, [value])
  return {
    /** Call it when editing begins. */
    begin: () => {
      known.current = { text: value, value, isBeingSaved: false }
    },
    /** Whether the person has not changed the text since editing began, or since it was saved. */
    isUnchanged: (text: string) => text === known.current.text,
    /** Whether somebody else has changed the value. */
    isOutdated: () => known.current.value !== value,
    /** Saves a text while the field stays open. The saved value is then known, unless it was refused. */
    saveOpen: async (text: string, onSave: (text: string) => SaveResult) => {
      const formerKnown = known.current
      const savedKnown = { text, value, isBeingSaved: true }
      known.current = savedKnown
      const refusal = await onSave(text)
      savedKnown.isBeingSaved = false
      if (refusal && known.current === savedKnown) known.current = formerKnown
      return refusal
    },
  }
}
