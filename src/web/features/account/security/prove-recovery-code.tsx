import { useDevice } from '#web/data/browser/device.ts'
import { useRef, useState } from 'react'
import { verifyRecoveryCode } from '#web/data/session/second-factor.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { StepForm } from '#web/ui/step-form.tsx'

/** Asks for a recovery code in a dialog, from a person who cannot use a factor. */
export function ProveRecoveryCode({ onDone }: { onDone: () => void }) {
  const device = useDevice()
  const [error, setError] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const refuse = (message: string) => {
    setError(message)
    field.current?.focus()
  }
  const verify = useOnce(async () => {
    const code = field.current?.value.trim()
    if (!code) return refuse('Enter the code')
    setPending(true)
    const outcome = await verifyRecoveryCode(device, code)
    setPending(false)
    if (outcome.ok) onDone()
    else refuse(outcome.message)
  })
  return (
    <StepForm button="Verify" pending={pending} onSubmit={verify}>
      <Field label="Recovery code" error={error} hint="Each of your ten codes works one time.">
        <Input
          ref={field}
          autoFocus
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={100}
          onChange={() => setError(null)}
        />
      </Field>
    </StepForm>
  )
}
