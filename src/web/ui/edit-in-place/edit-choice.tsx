import { useId, useState } from 'react'
import type { Saved } from './edit-row.tsx'

/** State of a value that is chosen rather than typed: shows the new value while it is saved, and an error when it is refused. */
export function useChoice<Value>(value: Value, onSave: (value: Value) => Saved) {
  const [sent, setSent] = useState<{ value: Value } | null>(null)
  const [error, setError] = useState<string | null>(null)
  const errorId = useId()
  const choose = async (chosen: Value) => {
    setSent({ value: chosen })
    setError(null)
    const refused = await onSave(chosen)
    setSent(null)
    setError(refused ?? null)
  }
  return { shown: sent ? sent.value : value, error, errorId, choose: (chosen: Value) => void choose(chosen) }
}
