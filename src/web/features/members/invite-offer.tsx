import { type OnlineState, useOnlineValue } from '#web/data/session/online-value.ts'
import { useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import { createInvitationLink } from '#web/data/people/invitation-link.ts'
import { type Invitation, inviteMember } from '#web/data/people/invitations.ts'
import type { Member } from '#web/data/people/members.ts'
import { capabilities } from '#web/data/session/capabilities.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.ts'
import { NewInvitationLink } from './new-invitation-link.tsx'
import type { CheckedInvite } from './invite-schema.ts'
import { offerWords } from './pending-role.ts'
import { refusalWords, emailFieldError } from './refusal-words.ts'
import { useLinkEnd } from './use-link-end.ts'

interface InviteOfferProps {
  invite: CheckedInvite
  /** The role of the pending invitation of this email address when the offer was made. Null if there was none. */
  pendingAs: CheckedInvite['role'] | null
  /** The members of the brand and the pending invitations, which show whether a new link still works. */
  members: readonly Member[]
  invited: OnlineState<Invitation[]>
  /** Called after the person was invited, or was added because they have an account meanwhile. */
  onInvited: () => void
  /** Called if the server refuses the email address, with the reason. */
  onWrongAddress: (problem: string) => void
  onClose: () => void
}

/** Shown for an email address without an account: offers to invite the person with the chosen role, by email or by a link to hand over. */
export function InviteOffer(props: InviteOfferProps) {
  const { invite, pendingAs, members, invited, onInvited, onWrongAddress, onClose } = props
  const device = useDevice()
  const { value: backend } = useOnlineValue(capabilities)
  const [pending, setPending] = useState<'mail' | 'link' | null>(null)
  const [linkUrl, setLinkUrl] = useState<string | null>(null)
  const showRefusal = (refusal: { message: string; code: string | null }) => {
    const { title, description } = refusalWords(refusal)
    toast.error(title, { description })
    const problem = emailFieldError(refusal)
    if (problem) onWrongAddress(problem)
  }
  const sendInvitation = useOnce(async () => {
    setPending('mail')
    const outcome = await inviteMember(device, invite.email, invite.role)
    setPending(null)
    if (outcome.status === 'refused') return showRefusal(outcome)
    toast.success(outcome.status === 'added' ? 'Member added successfully!' : 'Invitation sent')
    onInvited()
    onClose()
  })
  const makeLink = useOnce(async () => {
    setPending('link')
    const outcome = await createInvitationLink(device, invite.email, invite.role)
    setPending(null)
    if (outcome.status === 'refused') return showRefusal(outcome)
    onInvited()
    if (outcome.status === 'made') return setLinkUrl(outcome.address)
    toast.success('Member added successfully!')
    onClose()
  })
  const ended = useLinkEnd(linkUrl !== null, invite.email, members, invited)
  if (linkUrl) return <NewInvitationLink email={invite.email} address={linkUrl} ended={ended} onClose={onClose} />
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control bg-sunken px-3 py-2.5">
      <p role="status" className="min-w-0 flex-1 basis-64 text-sm wrap-anywhere">
        <span className="font-medium">{invite.email}</span> {offerWords(invite.role, pendingAs)}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="quiet" disabled={pending !== null} onClick={onClose}>
          Cancel
        </Button>
        {backend?.invitations && (
          <Button pending={pending === 'mail'} disabled={pending === 'link'} onClick={sendInvitation} autoFocus>
            Send invitation
          </Button>
        )}
        {backend?.invitation_links && (
          <Button
            pending={pending === 'link'}
            disabled={pending === 'mail'}
            onClick={makeLink}
            autoFocus={!backend.invitations}
          >
            Copy an invitation link
          </Button>
        )}
      </div>
    </div>
  )
}
