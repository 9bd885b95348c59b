import { useId, useState } from 'react'
import type { SaveResult } from './edit-row.tsx'

/**
 * Keeps the state of a value that is chosen rather than typed. While the new value is being saved, it is already shown. If it is refused,
 * an error is shown.
 */
export function useChoice<Value>(value: Value, onSave: (value: Value) => SaveResult) {
  const [saving, setSaving] = useState<{ value: Value } | null>(null)
  const [error, setError] = useState<string | null>(null)
  const errorId = useId()
  const choose = async (chosen: Value) => {
    setSaving({ value: chosen })
    setError(null)
    const refused = await onSave(chosen)
    setSaving(null)
    setError(refused ?? null)
  }
  return { shown: saving ? saving.value : value, error, errorId, choose: (chosen: Value) => void choose(chosen) }
}
