import { useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import { removeMember } from '#web/data/people/change-members.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { announce } from '#web/ui/live-region.ts'
import { toastRefusal } from './change-refused.ts'

export interface RemoveMemberProps {
  open: boolean
  userId: string
  /** The member's name in this brand. */
  name: string
  brandName: string
  onClose: () => void
  onRemoved: () => void
}

/** Asks before a member is removed from the brand. */
export function RemoveMemberDialog({ open, userId, name, brandName, onClose, onRemoved }: RemoveMemberProps) {
  const device = useDevice()
  const [pending, setPending] = useState(false)
  const remove = async () => {
    setPending(true)
    const outcome = await removeMember(device, userId)
    setPending(false)
    onClose()
    if (toastRefusal('Error removing member', outcome)) return
    announce(`${name} is no longer a member`)
    onRemoved()
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      pending={pending}
      width="small"
      title={`Remove ${name}?`}
      footer={
        <>
          <Button size="form" onClick={onClose} disabled={pending} data-autofocus>
            Cancel
          </Button>
          <Button variant="danger" size="form" pending={pending} onClick={() => void remove()}>
            Remove
          </Button>
        </>
      }
    >
      <p className="text-ink2">
        They lose access to {brandName} at once. What they made stays; what they own or have been assigned belongs to
        nobody then.
      </p>
    </Dialog>
  )
}
