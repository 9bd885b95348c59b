import { useState } from 'react'
import { formatDay } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { NewUrl } from '#web/ui/new-url.tsx'

const linkLifeMs = 7 * 86_400_000

interface NewInvitationLinkProps {
  email: string
  /** The URL that the inviting member copies and hands over. */
  address: string
  onClose: () => void
}

/** Shows a new invitation link and what it does. The link is never shown again, so it is copied at once, and a button copies it again. */
export function NewInvitationLink({ email, address, onClose }: NewInvitationLinkProps) {
  const [validUntil] = useState(() => new Date(Date.now() + linkLifeMs).toISOString())
  return (
    <section
      aria-label={`Invitation link for ${email}`}
      className="mt-3 rounded-control bg-sunken px-3 pt-2.5 pb-3 first:mt-0"
    >
      <p role="status" className="text-sm wrap-anywhere">
        Send this link to <span className="font-medium">{email}</span>. It works for them alone, once, until{' '}
        {formatDay(validUntil)}. It is not shown again.
      </p>
      <NewUrl name="Invitation link" address={address} copy="Copy link" copiesAtOnce className="mt-2">
        <Button variant="quiet" onClick={onClose}>
          Done
        </Button>
      </NewUrl>
    </section>
  )
}
