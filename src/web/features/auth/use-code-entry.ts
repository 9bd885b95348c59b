import { useRef, useState } from 'react'
import type { AuthOutcome } from '#web/data/session/session.ts'

export interface CodeEntry {
  code: string
  error: string | null
  pending: boolean
  setCode: (code: string) => void
  setError: (error: string | null) => void
  /** Sends a code (default: the typed one) to the server. Only one request at a time, because each code can be used once. */
  submit: (code?: string) => void
}

/** State of typing and sending a code. A refused code is cleared, and the server's message is shown below the field. */
export function useCodeEntry(verify: (code: string) => Promise<AuthOutcome>, onDone: () => void): CodeEntry {
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const isRunning = useRef(false)
  const submit = async (entered: string) => {
    if (isRunning.current) return
    if (!entered.trim()) return setError('Enter the code')
    isRunning.current = true
    setPending(true)
    setError(null)
    const outcome = await verify(entered)
    isRunning.current = false
    setPending(false)
    if (outcome.ok) return onDone()
    setCode('')
    setError(outcome.message)
  }
  return {
    code,
    error,
    pending,
    setError,
    setCode: (to) => {
      setCode(to)
      if (to) setError(null)
    },
    submit: (entered = code) => void submit(entered),
  }
}
