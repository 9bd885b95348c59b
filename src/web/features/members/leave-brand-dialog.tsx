import { useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import { activeBrandState, useActiveBrand } from '#web/data/people/active-brand.ts'
import { membershipsOf } from '#web/data/people/brands.ts'
import { leaveBrand } from '#web/data/people/change-brand.ts'
import { useMemberRecords } from '#web/data/people/member-records.ts'
import { useMembers } from '#web/data/people/members.ts'
import { isUnopenedOwner } from '#web/data/people/membership.ts'
import { useSession } from '#web/data/session/session.ts'
import { useUnsentWarning } from '#web/data/sync/use-unsent-warning.ts'
import { useObservable } from '#web/lib/observable.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { toastRefusal } from './member-refusal.ts'
import { SuccessorField } from './successor-field.tsx'

export interface LeaveBrandProps {
  open: boolean
  /** The brand to leave. Default: the active brand. */
  brandId?: string
  brandName: string
  onClose: () => void
  /** Called when the brand has been left. */
  onLeft: () => void
}

/**
 * Asks for confirmation before the person leaves the brand, and, for the active brand, who takes over their records: by default another
 * owner, or nobody if there is none. For another brand, whose members this device does not know, says which records will belong to nobody.
 * The last owner of the active brand cannot leave: the dialog says why, and what to do.
 */
export function LeaveBrandDialog({ open, brandId, brandName, onClose, onLeft }: LeaveBrandProps) {
  const device = useDevice()
  const [pending, setPending] = useState(false)
  const myUserId = useSession().session?.userId ?? ''
  const { members } = useMembers()
  const otherOwnerId = members.find(({ role, user_id }) => role === 'owner' && user_id !== myUserId)?.user_id ?? null
  const records = useMemberRecords(myUserId, brandId)
  const isActive = brandId === undefined
  const activeBrand = useActiveBrand().brand
  const memberships = useObservable(membershipsOf(device)).memberships
  const myMembership = isActive ? activeBrand : memberships.find((membership) => membership.brandId === brandId)
  const isOwner = members.some(({ role, user_id }) => role === 'owner' && user_id === myUserId)
  const isLastOwner = isActive && isOwner && otherOwnerId === null && !(myMembership && isUnopenedOwner(myMembership))
  const [chosenId, setChosenId] = useState<string | null>()
  const successorId = chosenId === undefined ? otherOwnerId : chosenId
  const unsent = useUnsentWarning((of) => brandId ?? activeBrandState(of).get().brandId ?? '')
  const leave = async () => {
    setPending(true)
    if (!(await unsent.sendAndCheck())) return setPending(false)
    const outcome = await leaveBrand(device, brandId, isActive && records ? successorId : null)
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
            disabled={records === undefined || isLastOwner}
            onClick={() => void leave()}
          >
            Leave
          </Button>
        </>
      }
    >
      <p className="text-ink2">
        {isLastOwner
          ? members.length === 1
            ? 'You are the only member, so you cannot leave the brand. Delete it instead.'
            : 'You are the last owner, so you cannot leave the brand. Make another member an owner first, or hand the brand over.'
          : 'You lose access at once, and an admin must add you again. What you made stays.'}
      </p>
      {myMembership && isUnopenedOwner(myMembership) && (
        <p className="mt-2 text-ink2">
          If there is no other owner, another member becomes the owner. If you are the only member, the brand is
          deleted.
        </p>
      )}
      {isLastOwner ? null : isActive || !records ? (
        <SuccessorField
          userId={myUserId}
          records={records}
          to={successorId}
          onChange={setChosenId}
          unknown="Records that you own or tasks that are assigned to you then belong to nobody."
        />
      ) : (
        <p className="mt-2 text-ink2">{`${records} that you have there will belong to nobody. To choose who takes over, open the brand first.`}</p>
      )}
      {unsent.warning && (
        <p role="alert" className="mt-4 text-sm font-medium text-danger">
          {unsent.warning}
        </p>
      )}
    </Dialog>
  )
}
