import { useRef, useState } from 'react'
import { startChallenge, verifyCode } from '#web/data/session/second-factor.ts'

/** Proving a new factor with its first code: a challenge, then the code. `challenge()` sends a phone its message. */
export function useVerifyNew(onDone: () => void) {
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const challengeId = useRef<string | null>(null)
  const running = useRef(false)

  const challenge = async (factorId: string) => {
    const answer = await startChallenge(factorId)
    challengeId.current = answer.ok ? answer.challengeId : null
    return answer
  }
  /** Sends a code, once at a time: each is good for one use. */
  const verify = async (factorId: string, entered: string, anew: boolean) => {
    if (running.current) return
    if (entered.length < 6) return setError('Enter the six digits')
    running.current = true
    setPending(true)
    setError(null)
    const begun = anew || !challengeId.current ? await challenge(factorId) : null
    const outcome = begun && !begun.ok ? begun : await verifyCode(factorId, challengeId.current ?? '', entered)
    running.current = false
    setPending(false)
    if (outcome.ok) return onDone()
    setCode('')
    setError(outcome.message)
  }
  return { code, setCode, error, setError, pending, challenge, verify }
}
