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
  const known = useSecondFactors()
  const [shown, setShown] = useState<ShownStep>(null)
  if (!known) return null
  const { factors, hasRecoveryCodes } = known
  const now = shown ?? firstOf(factors)
  const footer = (
    <>
      {factors.length > 1 && now !== 'choice' && (
        <button type="button" className={stepLinkClass} onClick={() => setShown('choice')}>
          Another factor
        </button>
      )}
      {now === 'recovery' && factors.length === 1 && (
        <button type="button" className={stepLinkClass} onClick={() => setShown(null)}>
          Back
        </button>
      )}
      {hasRecoveryCodes && now !== 'recovery' && (
        <button type="button" className={stepLinkClass} onClick={() => setShown('recovery')}>
          Use a recovery code
        </button>
      )}
      <span className="-mr-3 ml-auto">{signOut}</span>
    </>
  )
  if (now === 'recovery') return <RecoveryCode footer={footer} onDone={onDone} />
  if (now === 'choice') {
    return <FactorChoice factors={factors} footer={footer} onChoose={(factor) => setShown({ factor })} />
  }
  if (!now)
    return <StepCard title="Enter your code" description="There is no second factor to ask for." footer={footer} />
  const Step = { totp: AppCode, phone: PhoneCode, webauthn: PasskeyStep }[now.factor.kind]
  return <Step key={now.factor.id} factor={now.factor} footer={footer} onDone={onDone} />
}

/** Returns the factor to ask for first. A phone comes last, because its code is sent at once and costs money. */
function firstOf(factors: readonly Factor[]): ShownStep {
  const factor = factors.find(({ kind }) => kind !== 'phone') ?? factors[0]
  return factor ? { factor } : null
}
