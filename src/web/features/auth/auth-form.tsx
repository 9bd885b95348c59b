import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import type { AuthOutcome } from '#web/data/session/session.ts'
import { signIn, signUp } from '#web/data/session/sign-in.ts'
import { useDevice } from '#web/data/browser/device.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import { toast } from '#web/ui/toast.ts'
import {
  type AuthErrors,
  type AuthMode,
  bareAddress,
  checkCredentials,
  minPasswordLength,
} from './check-credentials.ts'

const words = {
  'sign-in': {
    title: 'Welcome back',
    button: 'Sign In',
    done: 'Welcome back!',
    submit: signIn,
    password: 'current-password',
  },
  'sign-up': {
    title: 'Create account',
    button: 'Sign Up',
    done: 'Account created! Welcome aboard!',
    submit: signUp,
    password: 'new-password',
  },
} as const

interface AuthFormProps {
  mode: AuthMode
  /** The page stores the typed email address, so that both tabs ('Sign In' and 'Sign Up') show it. */
  email: string
  /** Undefined for the email address of an invitation, which cannot be changed. */
  onEmail?: (email: string) => void
  /** The token of an invitation link, for a server where only invited people may sign up; '' if the server has no such links. */
  invitation?: string
  /** Called after the person has signed in. A page that observes the session does not need this. */
  onSignedIn?: () => void
  /** Called if the person has signed up and must confirm the email address. */
  onMailSent: () => void
  /** The link to set a new password, below the button of 'Sign In'. */
  forgot: ReactNode
}

/**
 * The form of one tab: email, password, button. A refusal is shown in a toast with the server's message (spec section 8), and, if it is
 * about a field, explained below that field.
 */
export function AuthForm({ mode, email, onEmail, invitation, onSignedIn, onMailSent, forgot }: AuthFormProps) {
  const [errors, setErrors] = useState<AuthErrors>({})
  const [pending, setPending] = useState(false)
  const emailField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const text = words[mode]
  const device = useDevice()

  const showErrors = (foundErrors: AuthErrors) => {
    setErrors(foundErrors)
    const wrongField = foundErrors.email ? emailField.current : foundErrors.password ? passwordField.current : null
    wrongField?.focus()
    wrongField?.select()
  }
  const submit = async () => {
    if (pending) return
    const password = passwordField.current?.value ?? ''
    const foundErrors = checkCredentials(mode, email, password)
    showErrors(foundErrors)
    if (foundErrors.email || foundErrors.password) return
    setPending(true)
    const outcome = await text.submit(device, email.trim(), password, invitation).catch(unexpectedOutcome)
    setPending(false)
    if (!outcome.ok) {
      toast.error(outcome.message)
      return showErrors(await errorsOf(mode, outcome))
    }
    if (!outcome.needsCode) toast.success(text.done, { brief: mode === 'sign-in' })
    if (outcome.signedIn) onSignedIn?.()
    else onMailSent()
  }

  return (
    <form
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void submit()
      }}
      className="flex flex-col gap-5"
    >
      <h2 className="text-xl">{text.title}</h2>
      <Field label="Email" error={errors.email} hint={!onEmail && 'The invitation is for this address.'}>
        <Input
          ref={emailField}
          size="sign-in"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="off"
          spellCheck={false}
          required
          readOnly={!onEmail}
          {...(!onEmail && { className: 'bg-sunken' })}
          value={email}
          onChange={(event) => {
            onEmail?.(bareAddress(event.target.value))
            setErrors({ ...errors, email: undefined })
          }}
        />
      </Field>
      <Field
        label="Password"
        error={errors.password}
        aside={mode === 'sign-up' && <span className="text-xs text-ink3">At least {minPasswordLength} characters</span>}
      >
        <PasswordInput
          ref={passwordField}
          size="sign-in"
          name="password"
          autoComplete={text.password}
          autoFocus={!onEmail}
          required
          minLength={mode === 'sign-up' ? minPasswordLength : undefined}
          onChange={() => setErrors({ ...errors, password: undefined })}
        />
      </Field>
      <Button type="submit" variant="primary" size="sign-in" pending={pending} className="w-full">
        {text.button}
      </Button>
      {mode === 'sign-in' && forgot}
    </form>
  )
}

/**
 * Returns the texts that explain a refusal below the fields. Their module is loaded when it is needed; if the loading fails, only the toast is shown.
 */
async function errorsOf(mode: AuthMode, refusal: Extract<AuthOutcome, { ok: false }>): Promise<AuthErrors> {
  const errorModule = await import('./credential-errors.ts').catch(() => null)
  return errorModule?.credentialErrors(mode, refusal) ?? {}
}

function unexpectedOutcome(error: unknown): AuthOutcome {
  return { ok: false, message: error instanceof Error ? error.message : String(error), code: null }
}
