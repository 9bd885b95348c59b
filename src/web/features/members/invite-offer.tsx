import { useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import { inviteMember } from '#web/data/people/invitations.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.ts'
import type { CheckedInvite } from './invite-schema.ts'
import { refusalWords } from './refusal-words.ts'

interface InviteOfferProps {
  invite: CheckedInvite
  /** The invitation was sent, or the person declined to send it. */
  onEnd: (sent: boolean) => void
}

/** For an address without an account: offers to invite it by e-mail, with the chosen role. */
export function InviteOffer({ invite, onEnd }: InviteOfferProps) {
  const device = useDevice()
  const [pending, setPending] = useState(false)
  const send = useOnce(async () => {
    setPending(true)
    const outcome = await inviteMember(device, invite.email, invite.role)
    setPending(false)
    if (outcome.status === 'refused') {
      const { title, description } = refusalWords(outcome)
      return toast.error(title, { description })
    }
    toast.success('Invitation sent')
    onEnd(true)
  })
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control bg-sunken px-3 py-2.5">
      <p role="status" className="min-w-0 flex-1 basis-64 text-sm wrap-anywhere">
        <span className="font-medium">{invite.email}</span> has no account yet. Invite them as{' '}
        {invite.role === 'admin' ? 'Admin' : 'Member'}?
      </p>
      <div className="flex gap-2">
        <Button variant="quiet" disabled={pending} onClick={() => onEnd(false)}>
          Cancel
        </Button>
        <Button pending={pending} onClick={send} autoFocus>
          Send invitation
        </Button>
      </div>
    </div>
  )
}
