import { type RefObject, useRef, useState } from 'react'
import { changePassword } from '#web/data/account.ts'
import { mySessions } from '#web/data/my-sessions.ts'
import { useSession } from '#web/data/session.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import { toast } from '#web/ui/toast.ts'

/** Spec section 5. */
const PASSWORD_LENGTH = 6

interface Errors {
  current?: string
  next?: string
}

/** The present password and the new one. */
export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const { session } = useSession()
  const [errors, setErrors] = useState<Errors>({})
  const [pending, setPending] = useState(false)
  const current = useRef<HTMLInputElement>(null)
  const next = useRef<HTMLInputElement>(null)
  const refuse = (field: keyof Errors, message: string, input: RefObject<HTMLInputElement | null>) => {
    setErrors({ [field]: message })
    input.current?.focus()
  }
  const save = useOnce(async () => {
    const old = current.current?.value ?? ''
    const password = next.current?.value ?? ''
    if (!old) return refuse('current', 'Password is required', current)
    if (!password) return refuse('next', 'Password is required', next)
    if (password.length < PASSWORD_LENGTH)
      return refuse('next', `Password needs at least ${PASSWORD_LENGTH} characters`, next)
    setPending(true)
    const outcome = await changePassword(old, password)
    setPending(false)
    if (outcome.ok) {
      toast.success('Password changed')
      onClose()
      return mySessions.reload()
    }
    if (outcome.code === 'current_password_invalid') refuse('current', outcome.message, current)
    else refuse('next', outcome.message, next)
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
        {/* Password managers keep a password together with its account. */}
        <input type="hidden" name="username" autoComplete="username" value={session?.email ?? ''} readOnly />
        <Field label="Current password" error={errors.current}>
          <PasswordInput
            ref={current}
            name="current-password"
            autoComplete="current-password"
            required
            onChange={() => setErrors({})}
          />
        </Field>
        <Field
          label="New password"
          error={errors.next}
          aside={<span className="text-xs text-ink3">At least {PASSWORD_LENGTH} characters</span>}
        >
          <PasswordInput
            ref={next}
            name="new-password"
            autoComplete="new-password"
            required
            minLength={PASSWORD_LENGTH}
            onChange={() => setErrors({})}
          />
        </Field>
      </div>
    </Dialog>
  )
}
