import { useDevice } from '#web/data/browser/device.ts'
import { useRef, useState } from 'react'
import { startChallenge, verifyCode } from '#web/data/session/second-factor.ts'

/**
 * Verifies a factor with a code: a new factor, or one that proves the person's identity. `challenge()` starts the verification; the server then
 * sends the code, if the factor is a phone.
 */
export function useVerifyFactor(onDone: () => void) {
  const device = useDevice()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const challengeId = useRef<string | null>(null)
  const isRunning = useRef(false)

  const challenge = async (factorId: string) => {
    const outcome = await startChallenge(device, factorId)
    challengeId.current = outcome.ok ? outcome.challengeId : null
    return outcome
  }
  /**
   * Sends the typed code. If `isNewChallenge` is true, or no challenge was started yet, calls `challenge()` first. Sends only one request at a
   * time, because each code can be used once.
   */
  const verify = async (factorId: string, entered: string, isNewChallenge: boolean) => {
    if (isRunning.current) return
    if (entered.length < 6) return setError('Enter the six digits')
    isRunning.current = true
    setPending(true)
    setError(null)
    const newChallenge = isNewChallenge || !challengeId.current ? await challenge(factorId) : null
    const outcome =
      newChallenge && !newChallenge.ok
        ? newChallenge
        : await verifyCode(device, factorId, challengeId.current ?? '', entered)
    isRunning.current = false
    setPending(false)
    if (outcome.ok) return onDone()
    setCode('')
    setError(outcome.message)
  }
  return { code, setCode, error, setError, pending, challenge, verify }
}
