import { useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import { removeMember } from '#web/data/people/change-members.ts'
import type { Member } from '#web/data/people/members.ts'
import { usePeople } from '#web/data/people/people.ts'
import { useMemberRecords } from '#web/data/people/member-records.ts'
import { useSession } from '#web/data/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { addAgainAction } from './add-again.ts'
import { toastRefusal } from './member-refusal.ts'
import { SuccessorField } from './successor-field.tsx'

export interface RemoveMemberProps {
  open: boolean
  member: Member
  /** The member's name in this brand. */
  name: string
  brandName: string
  onClose: () => void
  onRemoved: () => void
}

/**
 * Asks for confirmation before a member is removed from the brand, and who takes over the member's records: by default the signed-in
 * person.
 */
export function RemoveMemberDialog({ open, member, name, brandName, onClose, onRemoved }: RemoveMemberProps) {
  const device = useDevice()
  const { user_id: userId } = member
  const people = usePeople()
  const [pending, setPending] = useState(false)
  const records = useMemberRecords(userId)
  const [successorId, setSuccessorId] = useState(useSession().session?.userId ?? null)
  const remove = async () => {
    setPending(true)
    // The response contains counts only if the records went to a successor. Otherwise the counts that the dialog has shown are used.
    let movedRecords = records ?? ''
    const outcome = await removeMember(device, userId, records ? successorId : null, (recordsText) => {
      movedRecords = recordsText
    })
    setPending(false)
    onClose()
    if (toastRefusal('Error removing member', outcome)) return
    const successorName = (successorId && records && people.byId(successorId)?.name) || 'nobody'
    toast.success(`${name} is no longer a member`, {
      ...(movedRecords && {
        description: `Now with ${successorName}: ${movedRecords}. They stay there if ${name} is added again.`,
      }),
      ...addAgainAction(device, member, name),
    })
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
          <Button
            variant="danger"
            size="form"
            pending={pending}
            disabled={records === undefined}
            onClick={() => void remove()}
          >
            Remove
          </Button>
        </>
      }
    >
      <p className="text-ink2">They lose access to {brandName} at once. What they made stays.</p>
      <SuccessorField
        userId={userId}
        records={records}
        to={successorId}
        onChange={setSuccessorId}
        unknown="Records that they own or tasks that are assigned to them then belong to nobody."
      />
    </Dialog>
  )
}
