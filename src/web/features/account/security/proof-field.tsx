import { useSession } from '#web/data/session/session.ts'
import { minutesAndSeconds, useCountdown } from '#web/lib/use-countdown.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import type { ProofEntry } from './use-proof.ts'

/** The field for the current password, with a button that sends a code by email. After a code was sent: the field for the code. */
export function ProofField({ proof, onChange }: { proof: ProofEntry; onChange: () => void }) {
  const { session } = useSession()
  const { input, error, nextMailAt, clearError } = proof
  const change = () => {
    clearError()
    onChange()
  }
  if (nextMailAt === null) {
    return (
      <Field
        label="Current password"
        error={error}
        aside={<MailButton proof={proof}>Mail me a code instead</MailButton>}
      >
        <PasswordInput ref={input} name="current-password" autoComplete="current-password" required onChange={change} />
      </Field>
    )
  }
  return (
    <Field
      label="Code"
      error={error}
      hint={
        <span className="wrap-anywhere">
          We sent six digits to {session?.email}. They work once. Nothing there? Look in the spam folder, or ask the
          administrator of your Banyan CRM.
        </span>
      }
      aside={<SendAgain key={nextMailAt} proof={proof} />}
    >
      <Input
        ref={input}
        name="code"
        className="num"
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={12}
        required
        onChange={change}
      />
    </Field>
  )
}

function SendAgain({ proof }: { proof: ProofEntry }) {
  const secondsLeft = useCountdown(proof.nextMailAt ?? 0)
  if (secondsLeft === 0) return <MailButton proof={proof}>Send again</MailButton>
  return <span className="num text-xs text-ink3">Send again in {minutesAndSeconds(secondsLeft)}</span>
}

function MailButton({ proof, children }: { proof: ProofEntry; children: string }) {
  return (
    <button
      type="button"
      aria-busy={proof.isSendingCode || undefined}
      onClick={proof.mail}
      className="inline-flex min-h-6 items-center rounded-badge text-xs font-medium text-accent-text underline-offset-4 hover:underline aria-busy:text-ink3 max-sm:-my-3 max-sm:min-h-11 max-sm:text-sm"
    >
      {proof.isSendingCode ? 'Sending…' : children}
    </button>
  )
}
