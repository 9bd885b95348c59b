import { useDevice } from '#web/data/browser/device.ts'
import { type ReactNode, useEffect, useRef } from 'react'
import { verifyRecoveryCode } from '#web/data/session/second-factor.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { StepForm } from '#web/ui/step-form.tsx'
import { StepCard } from './step-card.tsx'
import { useCodeEntry } from './use-code-entry.ts'

/** The sign-in step for one of the ten recovery codes, for a person who cannot use a factor. */
export function RecoveryCode({ footer, onDone }: { footer: ReactNode; onDone: () => void }) {
  const device = useDevice()
  const entry = useCodeEntry((code) => verifyRecoveryCode(device, code), onDone)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (entry.error) input.current?.focus()
  }, [entry.error])
  return (
    <StepCard hasField title="Use a recovery code" description="Each of your ten codes works one time." footer={footer}>
      <StepForm button="Verify" size="sign-in" pending={entry.pending} onSubmit={entry.submit}>
        <Field label="Recovery code" error={entry.error}>
          <Input
            ref={input}
            autoFocus
            size="sign-in"
            autoComplete="off"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="go"
            maxLength={100}
            value={entry.code}
            onChange={(event) => entry.setCode(event.target.value)}
          />
        </Field>
      </StepForm>
    </StepCard>
  )
}
