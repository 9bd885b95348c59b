import { useState } from 'react'
import { usePresentAddress } from '#web/data/session/present-address.ts'
import { useSession } from '#web/data/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { SecurityCard } from './security-card.tsx'

const ChangeEmailDialog = lazyDialog(async () => (await import('./change-email-dialog.tsx')).ChangeEmailDialog)

/** The card with the email address that the person signs in with. */
export function EmailCard() {
  const { session } = useSession()
  usePresentAddress()
  const [open, setOpen] = useState(false)
  const [sentTo, setSentTo] = useState<string | null>(null)
  return (
    <SecurityCard title="Email" description={<span className="wrap-anywhere">{session?.email}</span>}>
      {sentTo && (
        <p className="mt-2 text-sm wrap-anywhere text-ink2">
          Links are on their way to this address and to {sentTo}. It changes when both were opened.
        </p>
      )}
      <Button className="mt-4" onClick={() => setOpen(true)}>
        Change email
      </Button>
      <ChangeEmailDialog open={open} onClose={() => setOpen(false)} onLinksSent={setSentTo} />
    </SecurityCard>
  )
}
