import { useOnlineValue } from '#web/data/session/online-value.ts'
import { useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import { createInvitationLink } from '#web/data/people/invitation-link.ts'
import { type Invitation, resendInvitation, withdrawInvitation } from '#web/data/people/invitations.ts'
import { capabilities } from '#web/data/session/capabilities.ts'
import { isRefusal } from '#web/data/server/is-refusal.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { useNow } from '#web/lib/use-now.ts'
import { Button } from '#web/ui/button.tsx'
import { MailIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/toast.ts'
import { daysLeft } from './days-left.ts'
import { NewInvitationLink } from './new-invitation-link.tsx'
import { roleName } from './member-roles.ts'
import { refusalWords } from './refusal-words.ts'

/**
 * The invitations that are not accepted yet, with their sender and validity. They can be sent again, replaced by a new link, or withdrawn.
 */
export function PendingInvitations({
  invited,
  names,
}: {
  invited: readonly Invitation[]
  names: ReadonlyMap<string, string>
}) {
  return (
    <ul aria-label="Pending invitations" className="border-t border-line">
      {invited.map((invitation) => (
        <InvitationRow
          key={invitation.id}
          invitation={invitation}
          sender={invitation.invited_by ? (names.get(invitation.invited_by) ?? null) : null}
        />
      ))}
    </ul>
  )
}

function InvitationRow({ invitation, sender }: { invitation: Invitation; sender: string | null }) {
  const device = useDevice()
  const { id, email, role, sent_at, expires_at } = invitation
  const { value: backend } = useOnlineValue(capabilities)
  const [pending, setPending] = useState<'resend' | 'link' | 'withdraw' | null>(null)
  const [linkUrl, setLinkUrl] = useState<string | null>(null)
  const now = useNow()
  const run = async (action: 'resend' | 'withdraw', change: Promise<Outcome>, doneText: string) => {
    setPending(action)
    const outcome = await change
    setPending(null)
    if (outcome.status === 'refused') {
      const description = isRefusal(outcome, 'NOT_FOUND') ? 'It was accepted or withdrawn.' : outcome.message
      return toast.error('The invitation was not changed', { description })
    }
    toast.success(doneText)
  }
  const makeLink = async () => {
    setPending('link')
    const outcome = await createInvitationLink(device, email, role)
    setPending(null)
    if (outcome.status === 'made') return setLinkUrl(outcome.address)
    if (outcome.status === 'added') return toast.success('Member added successfully!')
    const { title, description } = refusalWords(outcome)
    toast.error(title, { description })
  }
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-3 border-b border-line py-2 last:border-0">
      <span className="grid size-8 shrink-0 place-items-center rounded-full text-ink2 ring-1 ring-ctl ring-inset">
        <MailIcon />
      </span>
      <div className="min-w-0 flex-1 basis-56 max-sm:basis-[70%]">
        <p title={email} className="truncate font-medium max-sm:whitespace-normal max-sm:wrap-anywhere">
          {email}
        </p>
        <p className="text-xs text-ink2 max-sm:text-13/4">
          Invited {sent_at === null && 'by link '}as {roleName(role)}
          {sender && ` by ${sender}`} · {daysLeft(expires_at, now)}
        </p>
      </div>
      <div className="flex flex-wrap gap-1 max-sm:ml-11">
        {backend?.invitations && (
          <Button
            aria-label={`${sent_at === null ? 'Send' : 'Resend'} the invitation of ${email}`}
            pending={pending === 'resend'}
            disabled={pending !== null}
            onClick={() => void run('resend', resendInvitation(device, id), 'Invitation sent')}
          >
            {sent_at === null ? 'Send' : 'Resend'}
          </Button>
        )}
        {backend?.invitation_links && (
          <Button
            aria-label={`New invitation link for ${email}`}
            pending={pending === 'link'}
            disabled={pending !== null}
            onClick={() => void makeLink()}
          >
            New link
          </Button>
        )}
        <Button
          variant="quiet"
          aria-label={`Withdraw the invitation of ${email}`}
          pending={pending === 'withdraw'}
          disabled={pending !== null}
          onClick={() => void run('withdraw', withdrawInvitation(device, id), 'Invitation withdrawn')}
        >
          Withdraw
        </Button>
      </div>
      {linkUrl && (
        <div className="w-full">
          <NewInvitationLink email={email} address={linkUrl} onClose={() => setLinkUrl(null)} />
        </div>
      )}
    </li>
  )
}
