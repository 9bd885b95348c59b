import { useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import { cancelEmailChange } from '#web/data/session/account.ts'
import { useOnlineValue } from '#web/data/session/online-value.ts'
import { pendingEmail } from '#web/data/session/present-email.ts'
import { useSession } from '#web/data/session/session.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { SecurityCard } from './security-card.tsx'

const ChangeEmailDialog = lazyDialog(async () => (await import('./change-email-dialog.tsx')).ChangeEmailDialog)

/** The card with the email address that the person signs in with. A change that is not confirmed yet can be cancelled. */
export function EmailCard() {
  const device = useDevice()
  const { session } = useSession()
  const { value: newAddress } = useOnlineValue(pendingEmail)
  const [open, setOpen] = useState(false)
  const [isCanceling, setCanceling] = useState(false)
  const cancel = useOnce(async () => {
    setCanceling(true)
    const outcome = await cancelEmailChange(device)
    await pendingEmail(device).reload()
    setCanceling(false)
    if (outcome.ok) toast.success('Your email stays the same')
    else toast.error('The change was not cancelled', { description: outcome.message })
  })
  return (
    <SecurityCard title="Email" description={<span className="wrap-anywhere">{session?.email}</span>}>
      {newAddress && (
        <p className="mt-2 text-sm wrap-anywhere text-ink2">
          Links are on their way to this address and to {newAddress}. It changes when both were opened, within one day.
        </p>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button onClick={() => setOpen(true)}>Change email</Button>
        {newAddress && (
          <Button variant="quiet" pending={isCanceling} onClick={cancel}>
            Cancel the change
          </Button>
        )}
      </div>
      <ChangeEmailDialog
        open={open}
        onClose={() => setOpen(false)}
        onLinksSent={() => void pendingEmail(device).reload()}
      />
    </SecurityCard>
  )
}
