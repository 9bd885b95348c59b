import { useDevice } from '#web/data/browser/device.ts'
import { useRef, useState } from 'react'
import { linkPushSubscription } from '#web/data/push.ts'
import { useMemberships } from '#web/data/people/use-memberships.ts'
import { deleteOwnAccount } from '#web/data/people/delete-account.ts'
import { isUnopenedOwner } from '#web/data/people/membership.ts'
import { checkPassword } from '#web/data/session/account.ts'
import { useSecondFactors } from '#web/data/session/second-factor.ts'
import { signOut } from '#web/data/session/session.ts'
import { useUnsentWarning } from '#web/data/sync/use-unsent-warning.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import { toast } from '#web/ui/toast.ts'
import { ProveFactor } from './prove-factor.tsx'

interface DeleteAccountDialogProps {
  onClose: () => void
  onDeleted: () => void
}

/**
 * Deletes the account after asking for the password again, and for a second factor if the person has one. If the person is the last owner
 * of brands that they have opened, lists these brands and deletes nothing.
 */
export function DeleteAccountDialog({ onClose, onDeleted }: DeleteAccountDialogProps) {
  const device = useDevice()
  const [error, setError] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const [needsCode, setNeedsCode] = useState(false)
  const [lastOwnerOf, setLastOwnerOf] = useState<readonly string[]>([])
  const secondFactors = useSecondFactors()
  const unsent = useUnsentWarning()
  const { memberships } = useMemberships()
  const passwordField = useRef<HTMLInputElement>(null)

  const deleteAccount = async () => {
    setPending(true)
    const outcome = await deleteOwnAccount(device)
    if (!outcome.ok) {
      setPending(false)
      // `checkPassword` replaced the session. The server deletes this browser's push subscription with the old session.
      void linkPushSubscription(device).catch(console.error)
      if (outcome.lastOwnerOf.length > 0) return setLastOwnerOf(outcome.lastOwnerOf)
      return toast.error('Your account was not deleted', { description: outcome.message })
    }
    await signOut(device)
    toast.success('Your account is deleted')
    onDeleted()
  }
  const begin = useOnce(async () => {
    const password = passwordField.current?.value ?? ''
    if (!password) {
      setError('Password is required')
      return passwordField.current?.focus()
    }
    setPending(true)
    if (!(await unsent.sendAndCheck())) return setPending(false)
    const outcome = await checkPassword(device, password)
    setPending(false)
    if (!outcome.ok) {
      setError(outcome.code === 'invalid_credentials' ? 'This is not your password' : outcome.message)
      return passwordField.current?.focus()
    }
    if (outcome.needsCode) setNeedsCode(true)
    else await deleteAccount()
  })

  if (lastOwnerOf.length > 0) {
    return (
      <Dialog
        open
        onClose={onClose}
        width="small"
        title="You are the last owner"
        description="Hand these brands over or delete them first: in Settings, tab Brand."
        footer={
          <Button size="form" onClick={onClose} data-autofocus>
            Close
          </Button>
        }
      >
        <ul className="list-disc pl-5 text-sm font-medium">
          {lastOwnerOf.map((name) => (
            <li key={name} className="wrap-anywhere">
              {name}
            </li>
          ))}
        </ul>
      </Dialog>
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      onSubmit={needsCode ? undefined : begin}
      pending={pending}
      width="small"
      title="Delete your account?"
      description="You leave every brand and cannot sign in any more. This cannot be undone."
      footer={
        !needsCode && (
          <>
            <Button size="form" disabled={pending} onClick={onClose}>
              Cancel
            </Button>
            <Button size="form" type="submit" variant="danger" pending={pending}>
              Delete my account
            </Button>
          </>
        )
      }
    >
      {needsCode ? (
        secondFactors && <ProveFactor {...secondFactors} onDone={() => void deleteAccount()} />
      ) : (
        <>
          <Field label="Password" error={error} hint="No password yet? Set one under Password first.">
            <PasswordInput
              ref={passwordField}
              name="password"
              autoComplete="current-password"
              required
              onChange={() => setError(null)}
            />
          </Field>
          {memberships.some(isUnopenedOwner) && (
            <p className="mt-4 text-sm text-ink2">
              Of brands that you own alone and have never opened, another member becomes the owner. If you are the only
              member, the brand is deleted.
            </p>
          )}
          {unsent.warning && (
            <p role="alert" className="mt-4 text-sm font-medium text-danger">
              {unsent.warning}
            </p>
          )}
        </>
      )}
    </Dialog>
  )
}
