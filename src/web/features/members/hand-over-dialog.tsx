import { useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import { handOverBrand } from '#web/data/people/change-members.ts'
import { useMemberNames } from '#web/data/people/member-names.ts'
import { useMembers } from '#web/data/people/members.ts'
import { useSession } from '#web/data/session/session.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.ts'
import { toastRefusal } from './member-refusal.ts'
import { roleName } from './member-roles.ts'

/** Asks which member becomes the owner of the brand. */
export function HandOverDialog({ brandName, onClose }: { brandName: string; onClose: () => void }) {
  const device = useDevice()
  const { ready, members, error: loadError } = useMembers()
  const names = useMemberNames()
  const myUserId = useSession().session?.userId
  const [newOwnerId, setNewOwnerId] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const otherMembers = members.filter((member) => member.user_id !== myUserId)
  const isOnlyMember = ready && otherMembers.length === 0
  const nameOf = (userId: string) =>
    names.get(userId) ?? members.find((member) => member.user_id === userId)?.email ?? ''
  const handOver = async () => {
    if (!newOwnerId) {
      setError('Choose a member')
      return
    }
    setPending(true)
    const outcome = await handOverBrand(device, newOwnerId)
    setPending(false)
    if (toastRefusal('Error handing over brand', outcome)) return
    onClose()
    toast.success(`${nameOf(newOwnerId)} owns ${brandName} now`)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      onSubmit={() => void handOver()}
      pending={pending}
      width="small"
      title={`Hand over ${brandName}`}
      description="You become an admin. Only the new owner can give the brand back."
      footer={
        <>
          <Button size="form" onClick={onClose} disabled={pending}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" size="form" pending={pending} disabled={isOnlyMember}>
            Hand over
          </Button>
        </>
      }
    >
      {isOnlyMember ? (
        <p className="text-ink2">{loadError ?? 'You are the only member. Add somebody first.'}</p>
      ) : (
        <Field label="New owner" error={error}>
          <Select
            value={newOwnerId}
            onChange={(userId) => {
              setNewOwnerId(userId)
              setError(null)
            }}
            placeholder="Choose a member…"
            options={otherMembers.map((member) => ({
              value: member.user_id,
              label: nameOf(member.user_id),
              leading: <Avatar name={nameOf(member.user_id)} size={20} />,
              hint: roleName(member.role),
            }))}
          />
        </Field>
      )}
    </Dialog>
  )
}
