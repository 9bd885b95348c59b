import { useDevice } from '#web/data/browser/device.ts'
import { type ReactNode, useRef, useState } from 'react'
import { setNewPassword } from '#web/data/session/account.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Field } from '#web/ui/field.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import { toast } from '#web/ui/toast.ts'
import { StepForm } from '#web/ui/step-form.tsx'
import { checkNewPassword, minPasswordLength } from './check-credentials.ts'
import { StepCard } from './step-card.tsx'

interface NewPasswordProps {
  email: string
  /** Whether an invited person sets their first password. */
  first: boolean
  footer: ReactNode
  onDone: () => void
}

/** Sets a password after an email link has signed the person in. */
export function NewPassword({ email, first, footer, onDone }: NewPasswordProps) {
  const device = useDevice()
  const [error, setError] = useState<string | undefined>()
  const [pending, setPending] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const save = useOnce(async () => {
    const password = input.current?.value ?? ''
    const problem = checkNewPassword(password)
    setError(problem)
    if (problem) return input.current?.focus()
    setPending(true)
    const outcome = await setNewPassword(device, password)
    setPending(false)
    if (outcome.ok) {
      toast.success(first ? 'Password set' : 'Password changed')
      return onDone()
    }
    setError(outcome.message)
    input.current?.focus()
  })
  return (
    <StepCard
      hasField
      title={first ? 'Choose a password' : 'Set a new password'}
      description={
        <>
          For <strong className="font-medium break-words text-ink">{email}</strong>.
          {!first && ' It ends all other sessions.'}
        </>
      }
      footer={footer}
    >
      <StepForm button="Save password" size="sign-in" pending={pending} onSubmit={save}>
        {/* Password managers store a password with its account. */}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <Field
          label="New password"
          error={error}
          aside={<span className="text-xs text-ink3">At least {minPasswordLength} characters</span>}
        >
          <PasswordInput
            ref={input}
            size="sign-in"
            name="password"
            autoComplete="new-password"
            autoFocus
            required
            minLength={minPasswordLength}
            onChange={() => setError(undefined)}
          />
        </Field>
      </StepForm>
    </StepCard>
  )
}
