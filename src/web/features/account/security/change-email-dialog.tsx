import { type RefObject, useRef, useState } from 'react'
import { changeEmail } from '#web/data/account.ts'
import { useSession } from '#web/data/session.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import { toast } from '#web/ui/toast.ts'

interface Errors {
  email?: string
  current?: string
}

interface ChangeEmailDialogProps {
  onClose: () => void
  /** Links went to the old and to this new address. */
  onLinksSent: (email: string) => void
}

/** The new address, and the password: whoever finds an open session cannot take the account along. */
export function ChangeEmailDialog({ onClose, onLinksSent }: ChangeEmailDialogProps) {
  const [email, setEmail] = useState('')
  const { session } = useSession()
  const [errors, setErrors] = useState<Errors>({})
  const [pending, setPending] = useState(false)
  const next = useRef<HTMLInputElement>(null)
  const current = useRef<HTMLInputElement>(null)
  const refuse = (field: keyof Errors, message: string, input: RefObject<HTMLInputElement | null>) => {
    setErrors({ [field]: message })
    input.current?.focus()
  }
  const save = useOnce(async () => {
    const address = email.trim()
    const password = current.current?.value ?? ''
    if (!address) return refuse('email', 'Email is required', next)
    if (!/^[^\s@]+@[^\s@]+$/.test(address)) return refuse('email', 'Enter an email address', next)
    if (!password) return refuse('current', 'Password is required', current)
    setPending(true)
    const outcome = await changeEmail(password, address)
    setPending(false)
    if (!outcome.ok && outcome.code?.startsWith('current_password')) return refuse('current', outcome.message, current)
    if (!outcome.ok) return refuse('email', outcome.message, next)
    if (outcome.pending) onLinksSent(address)
    else toast.success('Email changed')
    onClose()
  })
  return (
    <Dialog
      open
      onClose={onClose}
      onSubmit={save}
      pending={pending}
      width="small"
      title="Change email"
      footer={
        <>
          <Button size="form" disabled={pending} onClick={onClose}>
            Cancel
          </Button>
          <Button size="form" type="submit" variant="primary" pending={pending}>
            Change email
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {/* A password manager fills in the password of this account, and keeps the new address out of it. */}
        <input type="hidden" name="username" autoComplete="username" value={session?.email ?? ''} readOnly />
        <Field label="New email" error={errors.email}>
          <Input
            ref={next}
            name="email"
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="off"
            spellCheck={false}
            required
            value={email}
            onChange={(event) => {
              setEmail(event.target.value)
              setErrors({})
            }}
          />
        </Field>
        <Field label="Current password" error={errors.current}>
          <PasswordInput
            ref={current}
            name="current-password"
            autoComplete="current-password"
            required
            onChange={() => setErrors({})}
          />
        </Field>
      </div>
    </Dialog>
  )
}
