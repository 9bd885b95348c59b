import { useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import { leaveBrand } from '#web/data/people/change-brand.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { toastRefusal } from './change-refused.ts'

export interface LeaveBrandProps {
  open: boolean
  /** Default: the active brand. */
  brandId?: string
  brandName: string
  onClose: () => void
  /** The brand is not active any more. */
  onLeft: () => void
}

/** Asks before the person leaves the brand. */
export function LeaveBrandDialog({ open, brandId, brandName, onClose, onLeft }: LeaveBrandProps) {
  const device = useDevice()
  const [pending, setPending] = useState(false)
  const leave = async () => {
    setPending(true)
    const outcome = await leaveBrand(device, brandId)
    setPending(false)
    onClose()
    if (toastRefusal('Error leaving brand', outcome)) return
    toast.success(`You left ${brandName}`)
    onLeft()
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      pending={pending}
      width="small"
      title={`Leave ${brandName}?`}
      footer={
        <>
          <Button size="form" onClick={onClose} disabled={pending} data-autofocus>
            Cancel
          </Button>
          <Button variant="danger" size="form" pending={pending} onClick={() => void leave()}>
            Leave
          </Button>
        </>
      }
    >
      <p className="text-ink2">
        You lose access at once, and an admin must add you again. What you made stays; what you own or have been
        assigned belongs to nobody then.
      </p>
    </Dialog>
  )
}
