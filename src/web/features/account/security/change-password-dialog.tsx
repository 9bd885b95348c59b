import { useDevice } from '#web/data/browser/device.ts'
import { useRef, useState } from 'react'
import { changePassword, changePasswordAgain } from '#web/data/session/account.ts'
import { mySessions } from '#web/data/session/my-sessions.ts'
import { useSession } from '#web/data/session/session.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import { toast } from '#web/ui/toast.ts'
import { ProofField } from './proof-field.tsx'
import { useProof } from './use-proof.ts'

/** Minimum number of characters (spec section 5). */
const minPasswordLength = 6

/** Asks for a proof of identity and the new password. An invited person without a password sets the first one. */
export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const device = useDevice()
  const { session } = useSession()
  const [error, setError] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const proof = useProof()
  /** The new password of the last attempt, if the server's response was lost. */
  const unansweredPassword = useRef<string | null>(null)
  const newPasswordField = useRef<HTMLInputElement>(null)
  const refuse = (message: string) => {
    setError(message)
    newPasswordField.current?.focus()
  }
  const save = useOnce(async () => {
    setError(null)
    proof.clearError()
    const password = newPasswordField.current?.value ?? ''
    const givenProof = proof.read()
    if (!givenProof) return
    if (!password) return refuse('Password is required')
    if (password.length < minPasswordLength) return refuse(`Password needs at least ${minPasswordLength} characters`)
    setPending(true)
    const change = unansweredPassword.current === password ? changePasswordAgain : changePassword
    const outcome = await change(device, givenProof, password)
    setPending(false)
    unansweredPassword.current = !outcome.ok && outcome.code === null ? password : null
    if (proof.refuse(outcome)) return
    if (!outcome.ok) return refuse(outcome.message)
    toast.success('Password changed')
    onClose()
    return mySessions(device).reload()
  })
  return (
    <Dialog
      open
      onClose={onClose}
      onSubmit={save}
      pending={pending}
      width="small"
      title="Change password"
      description="It ends all other sessions."
      footer={
        <>
          <Button size="form" disabled={pending} onClick={onClose}>
            Cancel
          </Button>
          <Button size="form" type="submit" variant="primary" pending={pending}>
            Change password
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {/* Password managers store a password with its account. */}
        <input type="hidden" name="username" autoComplete="username" value={session?.email ?? ''} readOnly />
        <ProofField proof={proof} onChange={() => setError(null)} />
        <Field
          label="New password"
          error={error}
          aside={<span className="text-xs text-ink3">At least {minPasswordLength} characters</span>}
        >
          <PasswordInput
            ref={newPasswordField}
            name="new-password"
            autoComplete="new-password"
            required
            minLength={minPasswordLength}
            onChange={() => setError(null)}
          />
        </Field>
      </div>
    </Dialog>
  )
}
