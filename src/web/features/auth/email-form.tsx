import { useRef, useState } from 'react'
import type { AuthOutcome } from '#web/data/session/session.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast.ts'
import { StepForm } from '#web/ui/step-form.tsx'
import { bareAddress, checkEmail } from './check-credentials.ts'

interface EmailFormProps {
  email: string
  button: string
  send: (email: string) => Promise<AuthOutcome>
  onSent: (email: string) => void
}

/** A field for an email address, and a button that sends an email to it. */
export function EmailForm({ email: initialEmail, button, send, onSent }: EmailFormProps) {
  const [email, setEmail] = useState(initialEmail)
  const [error, setError] = useState<string | undefined>()
  const [pending, setPending] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const submit = useOnce(async () => {
    const problem = checkEmail(email)
    setError(problem)
    if (problem) return input.current?.focus()
    setPending(true)
    const outcome = await send(email.trim())
    setPending(false)
    if (outcome.ok) return onSent(email.trim())
    toast.error(outcome.message)
    if (outcome.code === null) return
    setError(outcome.message)
    input.current?.focus()
  })
  return (
    <StepForm button={button} size="sign-in" pending={pending} onSubmit={submit}>
      <Field label="Email" error={error}>
        <Input
          ref={input}
          size="sign-in"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="send"
          required
          value={email}
          onChange={(event) => {
            setEmail(bareAddress(event.target.value))
            setError(undefined)
          }}
        />
      </Field>
    </StepForm>
  )
}
