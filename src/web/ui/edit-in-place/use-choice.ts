import { useId, useState } from 'react'
import type { SaveResult } from './edit-row.tsx'
import { useFieldError } from './use-field-error.ts'

/**
 * Keeps the state of a value that is chosen rather than typed. While the chosen value is being saved, it is already shown. After that, `value`
 * is shown. If the chosen value was refused, `value` is still the old one, and the error of the refusal is shown. If the field has left the
 * screen, the error is a toast that begins with the label. If the person has deleted the content, the error is not shown (`useFieldError`).
 */
export function useChoice<Value>(label: string, value: Value, onSave: (value: Value) => SaveResult) {
  const [choiceBeingSaved, setChoiceBeingSaved] = useState<{ value: Value } | null>(null)
  const [error, setError] = useFieldError(label)
  const errorId = useId()
  const choose = async (chosen: Value) => {
    setChoiceBeingSaved({ value: chosen })
    setError(null)
    const problem = await onSave(chosen)
    setChoiceBeingSaved(null)
    setError(problem ?? null)
  }
  return {
    shown: choiceBeingSaved ? choiceBeingSaved.value : value,
    error,
    errorId,
    choose: (chosen: Value) => void choose(chosen),
  }
}
