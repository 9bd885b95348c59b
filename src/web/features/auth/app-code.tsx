import { useDevice } from '#web/data/browser/device.ts'
import { startChallenge, verifyCode } from '#web/data/session/second-factor.ts'
import { CodeForm } from './code-form.tsx'
import type { FactorStepProps } from './factor-step.ts'
import { StepCard } from './step-card.tsx'
import { useCodeEntry } from './use-code-entry.ts'

/** The sign-in step for the code of an authenticator app. */
export function AppCode({ factor, footer, onDone }: FactorStepProps) {
  const device = useDevice()
  const entry = useCodeEntry(async (code) => {
    const challenge = await startChallenge(device, factor.id)
    return challenge.ok ? verifyCode(device, factor.id, challenge.challengeId, code) : challenge
  }, onDone)
  return (
    <StepCard
      hasField
      title="Enter your code"
      description={
        factor.name ? `Six digits from the app on ${factor.name}.` : 'Six digits from your authenticator app.'
      }
      footer={footer}
    >
      <CodeForm entry={entry} label="Code" />
    </StepCard>
  )
}
