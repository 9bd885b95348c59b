import { lazy, Suspense, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { SecurityCard } from './security-card.tsx'

const ChangePasswordDialog = lazy(async () => ({
  default: (await import('./change-password-dialog.tsx')).ChangePasswordDialog,
}))

/** Changing the password. */
export function PasswordCard() {
  const [open, setOpen] = useState(false)
  return (
    <SecurityCard title="Password" description="Changing it ends all other sessions.">
      <Button className="mt-4" onClick={() => setOpen(true)}>
        Change password
      </Button>
      <Suspense>{open && <ChangePasswordDialog onClose={() => setOpen(false)} />}</Suspense>
    </SecurityCard>
  )
}
