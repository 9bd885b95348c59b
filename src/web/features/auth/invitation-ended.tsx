import type { ReactNode } from 'react'
import type { LinkEndReason } from '#web/data/people/invitation-link.ts'
import { LinkOffIcon } from '#web/ui/icons.tsx'
import { StepCard } from './step-card.tsx'

const sentences: Record<LinkEndReason, string> = {
  used: 'The link was already used: an invitation link works once. If that was you, sign in. If not, ask whoever sent it for a new one.',
  revoked: 'The invitation was taken back. Ask an owner or admin of the brand for a new one.',
  replaced: 'There is a newer link for you. Open that one, or ask whoever sent this one for another.',
  expired: 'Invitation links work for seven days. Ask whoever sent it for a new one.',
  unknown:
    'The link is not complete, or its brand does not exist any more. Copy the whole address, or ask for a new link.',
}

/** Shown for an invitation link that does not work: why, and what to do. */
export function InvitationEnded({ why, back }: { why: LinkEndReason; back: ReactNode }) {
  return (
    <StepCard
      icon={<LinkOffIcon className="size-7 text-warn" strokeWidth={1.5} />}
      title="This link no longer works"
      description={sentences[why]}
      footer={back}
    />
  )
}
