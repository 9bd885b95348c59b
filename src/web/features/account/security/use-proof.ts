import { useDevice } from '#web/data/browser/device.ts'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { mailCode, type Proof } from '#web/data/session/account.ts'
import type { AuthOutcome } from '#web/data/session/session.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { toast } from '#web/ui/toast.ts'

/** The pause before another code can be sent (ms). The server has the same limit. */
const retryPauseMs = 60_000

export interface ProofEntry {
  input: RefObject<HTMLInputElement | null>
  error: string | null
  /**
   * Null while the field asks for the password. Otherwise a code was sent, and the person can request another code from this time on (ms
   * since the epoch).
   */
  nextMailAt: number | null
  isSendingCode: boolean
  mail: () => void
  clearError: () => void
  /** Returns the typed proof. If the field is empty, shows an error at it and returns null. */
  read: () => Proof | null
  /** If the outcome is a refusal of the proof, shows it at the field and returns true. Otherwise returns false. */
  refuse: (outcome: AuthOutcome) => boolean
}

/** The state of a ProofField: the password, or an emailed code for a person who has forgotten the password or has none. */
export function useProof(): ProofEntry {
  const device = useDevice()
  const [error, setError] = useState<string | null>(null)
  const [nextMailAt, setNextMailAt] = useState<number | null>(null)
  const [isSendingCode, setIsSendingCode] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (nextMailAt !== null) input.current?.focus()
  }, [nextMailAt])
  const showError = (message: string) => {
    setError(message)
    input.current?.focus()
  }
  const mail = useOnce(async () => {
    setIsSendingCode(true)
    const outcome = await mailCode(device)
    setIsSendingCode(false)
    // The typed text is not wrong, so this is a toast and not an error below the field.
    if (!outcome.ok) return toast.error('No code was mailed', { description: outcome.message })
    setError(null)
    setNextMailAt(Date.now() + retryPauseMs)
  })
  const read = (): Proof | null => {
    const typed = input.current?.value ?? ''
    if (nextMailAt === null) {
      if (typed) return { password: typed }
      showError('Password is required')
      return null
    }
    const code = typed.replaceAll(/\D/g, '')
    if (code) return { code }
    showError('Enter the code')
    return null
  }
  const refuse = (outcome: AuthOutcome) => {
    if (outcome.ok) return false
    // The server uses up a code even if it then refuses the rest of the change, so the person needs another code.
    if (nextMailAt !== null && outcome.code !== null && input.current) input.current.value = ''
    if (!outcome.code?.startsWith('current_password') && outcome.code !== 'reauthentication_not_valid') return false
    showError(outcome.code === 'current_password_invalid' ? 'This is not your current password' : outcome.message)
    return true
  }
  return { input, error, nextMailAt, isSendingCode, mail, clearError: () => setError(null), read, refuse }
}
