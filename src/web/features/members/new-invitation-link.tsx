import { useState } from 'react'
import { formatDay } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { NewUrl } from '#web/ui/new-url.tsx'

const linkLifeMs = 7 * 86_400_000

interface NewInvitationLinkProps {
  email: string
  /** The URL that the inviting member copies and hands over. */
  address: string
  /** Why the link no longer works: the person has joined the brand, or the invitation is no longer pending. Null while it works. */
  ended?: 'joined' | 'over' | null
  onClose: () => void
}

/**
 * Shows a new invitation link and what it does, or why it no longer works. The link is never shown again, so it is copied at once, and a button
 * copies it again.
 */
export function NewInvitationLink({ email, address, ended = null, onClose }: NewInvitationLinkProps) {
  const [validUntil] = useState(() => new Date(Date.now() + linkLifeMs).toISOString())
  const shownEmail = <span className="font-medium">{email}</span>
  const doneButton = (
    <Button variant="quiet" onClick={onClose}>
      Done
    </Button>
  )
  return (
    <section
      aria-label={`Invitation link for ${email}`}
      className="mt-3 rounded-control bg-sunken px-3 pt-2.5 pb-3 first:mt-0"
    >
      <p role="status" className="text-sm wrap-anywhere">
        {ended === 'joined' ? (
          <>{shownEmail} has joined the brand. The link no longer works.</>
        ) : ended === 'over' ? (
          <>The invitation of {shownEmail} was accepted or withdrawn. The link no longer works.</>
        ) : (
          <>
            Send this link to {shownEmail}. It works for them alone, once, until {formatDay(validUntil)}. It is not
            shown again.
          </>
        )}
      </p>
      {ended ? (
        <div className="mt-2 flex justify-end">{doneButton}</div>
      ) : (
        <NewUrl name="Invitation link" address={address} copy="Copy link" copiesAtOnce className="mt-2">
          {doneButton}
        </NewUrl>
      )}
    </section>
  )
}
