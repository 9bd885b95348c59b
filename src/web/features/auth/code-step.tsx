import { type ReactNode, useState } from 'react'
import { type Factor, useSecondFactors } from '#web/data/session/second-factor.ts'
import { AppCode } from './app-code.tsx'
import { FactorChoice } from './factor-choice.tsx'
import { PasskeyStep } from './passkey-step.tsx'
import { PhoneCode } from './phone-code.tsx'
import { RecoveryCode } from './recovery-code.tsx'
import { StepCard, stepLinkClass } from './step-card.tsx'

type ShownStep = { factor: Factor } | 'choice' | 'recovery' | null

/** The step after the password: asks for one of the person's second factors (spec section 4). `signOut`: the button that signs out. */
export function CodeStep({ onDone, signOut }: { onDone: () => void; signOut: ReactNode }) {
  const secondFactors = useSecondFactors()
  const [shownStep, setShownStep] = useState<ShownStep>(null)
  if (!secondFactors) return null
  const { factors, hasRecoveryCodes } = secondFactors
  const step = shownStep ?? firstStep(factors)
  const footer = (
    <>
      {factors.length > 1 && step !== 'choice' && (
        <button type="button" className={stepLinkClass} onClick={() => setShownStep('choice')}>
          Another factor
        </button>
      )}
      {step === 'recovery' && factors.length === 1 && (
        <button type="button" className={stepLinkClass} onClick={() => setShownStep(null)}>
          Back
        </button>
      )}
      {hasRecoveryCodes && step !== 'recovery' && (
        <button type="button" className={stepLinkClass} onClick={() => setShownStep('recovery')}>
          Use a recovery code
        </button>
      )}
      <span className="-mr-3 ml-auto">{signOut}</span>
    </>
  )
  if (step === 'recovery') return <RecoveryCode footer={footer} onDone={onDone} />
  if (step === 'choice') {
    return <FactorChoice factors={factors} footer={footer} onChoose={(factor) => setShownStep({ factor })} />
  }
  if (!step)
    return <StepCard title="Enter your code" description="There is no second factor to ask for." footer={footer} />
  const Step = { totp: AppCode, phone: PhoneCode, webauthn: PasskeyStep }[step.factor.kind]
  return <Step key={step.factor.id} factor={step.factor} footer={footer} onDone={onDone} />
}

/** Returns the step of the factor to ask for first; null without factors. A phone comes last, because its code is sent at once and costs money. */
function firstStep(factors: readonly Factor[]): ShownStep {
  const factor = factors.find(({ kind }) => kind !== 'phone') ?? factors[0]
  return factor ? { factor } : null
}
