import { useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import { leaveBrand } from '#web/data/people/change-brand.ts'
import { useMemberRecords } from '#web/data/people/member-records.ts'
import { useMembers } from '#web/data/people/members.ts'
import { useSession } from '#web/data/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { toastRefusal } from './change-refused.ts'
import { TakeOver } from './take-over.tsx'

export interface LeaveBrandProps {
  open: boolean
  /** Default: the active brand. */
  brandId?: string
  brandName: string
  onClose: () => void
  /** The brand is not active any more. */
  onLeft: () => void
}

/** Asks before the person leaves the brand, and who takes over what is theirs in the active one: by default an owner. */
export function LeaveBrandDialog({ open, brandId, brandName, onClose, onLeft }: LeaveBrandProps) {
  const device = useDevice()
  const [pending, setPending] = useState(false)
  const me = useSession().session?.userId ?? ''
  const { members } = useMembers()
  const owner = members.find(({ role, user_id }) => role === 'owner' && user_id !== me)?.user_id ?? null
  const asked = useMemberRecords(me)
  // Of a brand that is not open nothing is theirs yet.
  const records = brandId === undefined ? asked : ''
  const [chosen, setChosen] = useState<string | null>()
  const to = chosen === undefined ? owner : chosen
  const leave = async () => {
    setPending(true)
    const outcome = await leaveBrand(device, brandId, records ? to : null)
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
          <Button
            variant="danger"
            size="form"
            pending={pending}
            disabled={records === undefined}
            onClick={() => void leave()}
          >
            Leave
          </Button>
        </>
      }
    >
      <p className="text-ink2">You lose access at once, and an admin must add you again. What you made stays.</p>
      <TakeOver
        userId={me}
        records={records}
        to={to}
        onChange={setChosen}
        unknown="What you own or have been assigned belongs to nobody then."
      />
    </Dialog>
  )
}
