import { useId, useRef, useState } from 'react'

/** Saves a value; answers the sentence that says why it was refused, null where it is kept. */
export type Save<Value> = (value: Value) => Promise<string | null>

/**
 * The life of a field that is edited where it stands: what is typed lives in a draft, Enter or leaving the field saves it, Escape
 * restores what was there. A refused draft stays with its error; while nobody edits, the field follows the record.
 */
export function useEdit(value: string, save: Save<string>, check?: (text: string) => string | null) {
  const [draft, setDraft] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const saving = useRef(false)
  const errorId = useId()

  async function commit(): Promise<void> {
    if (draft === null || saving.current) return
    if (draft.trim() === value.trim()) return restore()
    const fault = check?.(draft) ?? null
    if (fault !== null) return setError(fault)
    saving.current = true
    // Shown as saved at once: the record behind it is.
    const typed = draft
    setDraft(null)
    setError(null)
    const refused = await save(typed).finally(() => {
      saving.current = false
    })
    if (refused !== null) {
      setDraft(typed)
      setError(refused)
    }
  }

  function restore(): void {
    setDraft(null)
    setError(null)
  }

  return {
    text: draft ?? value,
    isEdited: draft !== null,
    error,
    errorId,
    setDraft: (text: string) => {
      setDraft(text)
      setError(null)
    },
    commit,
    restore,
  }
}
