import { useLayoutEffect, useRef } from 'react'
import type { SaveResult } from './edit-row.tsx'

/** What the person who edits a value knows of it. */
interface KnownValue {
  /** The text of the field when editing began, or when it was last saved while the field stayed open. */
  text: string
  /** The value that belongs to this text. */
  value: string
  /** True while the text is being saved and the field stays open. The next other value is then the person's own. */
  isBeingSaved: boolean
}

/** Keeps what the person knows of a value while editing it. `value` is the current one. */
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
      const former = known.current
      const saved = { text, value, isBeingSaved: true }
      known.current = saved
      const refusal = await onSave(text)
      saved.isBeingSaved = false
      if (refusal && known.current === saved) known.current = former
      return refusal
    },
  }
}
