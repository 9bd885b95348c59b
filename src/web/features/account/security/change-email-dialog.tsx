import { useRef, useState } from 'react'
import { changeEmail } from '#web/data/account.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast.ts'

interface ChangeEmailDialogProps {
  onClose: () => void
  /** Links went to the old and to this new address. */
  onLinksSent: (email: string) => void
}

/** The new address. */
export function ChangeEmailDialog({ onClose, onLinksSent }: ChangeEmailDialogProps) {
  const [email, setEmail] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const refuse = (message: string) => {
    setError(message)
    field.current?.focus()
  }
  const save = useOnce(async () => {
    const address = email.trim()
    if (!address) return refuse('Email is required')
    if (!/^[^\s@]+@[^\s@]+$/.test(address)) return refuse('Enter an email address')
    setPending(true)
    const outcome = await changeEmail(address)
    setPending(false)
    if (!outcome.ok) return refuse(outcome.message)
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
      <Field label="New email" error={error}>
        <Input
          ref={field}
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
            setError(null)
          }}
        />
      </Field>
    </Dialog>
  )
}
