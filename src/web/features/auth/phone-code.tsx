import { useDevice } from '#web/data/browser/device.ts'
import { useEffect, useEffectEvent, useRef } from 'react'
import { startChallenge, verifyCode } from '#web/data/session/second-factor.ts'
import type { AuthOutcome } from '#web/data/session/session.ts'
import { CodeForm } from './code-form.tsx'
import type { FactorStepProps } from './factor-step.ts'
import { SendAgain } from './send-again.tsx'
import { StepCard } from './step-card.tsx'
import { useCodeEntry } from './use-code-entry.ts'

/** The sign-in step for a code that is sent to a phone when the step opens. */
export function PhoneCode({ factor, footer, onDone }: FactorStepProps) {
  const device = useDevice()
  const challenge = useRef<Promise<string | null> | null>(null)
  const entry = useCodeEntry(async (code) => {
    const challengeId = await challenge.current
    if (!challengeId) return { ok: false, message: 'Send a code first', code: null }
    return verifyCode(device, factor.id, challengeId, code)
  }, onDone)
  const send = async (): Promise<AuthOutcome> => {
    const newChallenge = startChallenge(device, factor.id)
    challenge.current = newChallenge.then((outcome) => (outcome.ok ? outcome.challengeId : null))
    const outcome = await newChallenge
    return outcome.ok ? { ok: true, signedIn: false } : outcome
  }
  const sendFirst = useEffectEvent(async () => {
    if (challenge.current) return
    const outcome = await send()
    if (!outcome.ok) entry.setError(outcome.message)
  })
  useEffect(() => void sendFirst(), [])
  return (
    <StepCard
      hasField
      title="Enter your code"
      description={
        <>
          We sent six digits to <strong className="font-medium text-ink">{factor.name || 'your phone'}</strong>.
        </>
      }
      footer={footer}
    >
      <CodeForm entry={entry} label="Code" />
      <SendAgain send={send} sent="Code sent" />
    </StepCard>
  )
}
