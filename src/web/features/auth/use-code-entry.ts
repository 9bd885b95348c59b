import { useRef, useState } from 'react'
import type { AuthOutcome } from '#web/data/session/session.ts'

export interface CodeEntry {
  code: string
  error: string | null
  pending: boolean
  setCode: (code: string) => void
  setError: (error: string | null) => void
  /** Submits a typed code to the server, one request at a time: each code can be used once. Without an argument: the typed code. */
  submit: (code?: string) => void
}

/** State of typing and sending a code; a refused code is cleared, and the server's message is shown under the field. */
export function useCodeEntry(verify: (code: string) => Promise<AuthOutcome>, onDone: () => void): CodeEntry {
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const running = useRef(false)
  const submit = async (entered: string) => {
    if (running.current) return
    if (!entered.trim()) return setError('Enter the code')
    running.current = true
    setPending(true)
    setError(null)
    const outcome = await verify(entered)
    running.current = false
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
