import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { SecurityCard } from './security-card.tsx'

const ChangePasswordDialog = lazyDialog(async () => (await import('./change-password-dialog.tsx')).ChangePasswordDialog)

/** The card to change the password. */
export function PasswordCard() {
  const [open, setOpen] = useState(false)
  return (
    <SecurityCard title="Password" description="Changing it ends all other sessions.">
      <Button className="mt-4" onClick={() => setOpen(true)}>
        Change password
      </Button>
      <ChangePasswordDialog open={open} onClose={() => setOpen(false)} />
    </SecurityCard>
  )
}
