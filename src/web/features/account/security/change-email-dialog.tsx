import { useDevice } from '#web/data/browser/device.ts'
import { useRef, useState } from 'react'
import { changeEmail } from '#web/data/session/account.ts'
import { useSession } from '#web/data/session/session.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast.ts'
import { ProofField } from './proof-field.tsx'
import { useProof } from './use-proof.ts'

interface ChangeEmailDialogProps {
  onClose: () => void
  /** Called after links were sent to the new and to the old address. */
  onLinksSent: () => void
}

/** Asks for the new email address and a proof of identity, so that a person who finds an open session cannot take over the account. */
export function ChangeEmailDialog({ onClose, onLinksSent }: ChangeEmailDialogProps) {
  const device = useDevice()
  const [email, setEmail] = useState('')
  const { session } = useSession()
  const [error, setError] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const proof = useProof()
  const field = useRef<HTMLInputElement>(null)
  const refuse = (message: string) => {
    setError(message)
    field.current?.focus()
  }
  const save = useOnce(async () => {
    setError(null)
    proof.clearError()
    const address = email.trim()
    if (!address) return refuse('Email is required')
    if (!/^[^\s@]+@[^\s@]+$/.test(address)) return refuse('Enter an email address')
    if (address.toLowerCase() === session?.email) return refuse('This is your address already')
    const givenProof = proof.read()
    if (!givenProof) return
    setPending(true)
    const outcome = await changeEmail(device, givenProof, address)
    setPending(false)
    if (proof.refuse(outcome)) return
    if (!outcome.ok) return refuse(outcome.message)
    if (outcome.pending) onLinksSent()
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
        {/* Password managers fill in the password of this account, and do not save the new address as a user name. */}
        <input type="hidden" name="username" autoComplete="username" value={session?.email ?? ''} readOnly />
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
        <ProofField proof={proof} onChange={() => setError(null)} />
      </div>
    </Dialog>
  )
}
