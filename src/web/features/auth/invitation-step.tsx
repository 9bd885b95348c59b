import type { ReactNode } from 'react'
import type { LinkOffer } from '#web/data/people/invitation-link.ts'
import { MailIcon } from '#web/ui/icons.tsx'
import { StepCard } from './step-card.tsx'

interface InvitationStepProps {
  /** Null if the server shows the offer only to signed-in people. */
  offer: LinkOffer | null
  /** Whether the step has a field that gets the focus. */
  hasField?: boolean
  children: ReactNode
  footer?: ReactNode
}

/** Shows the offer of an invitation link: the brand, the role, and the person who invites. */
export function InvitationStep({ offer, hasField, children, footer }: InvitationStepProps) {
  return (
    <StepCard
      hasField={hasField ?? false}
      icon={<MailIcon className="size-7 text-accent-text" strokeWidth={1.5} />}
      title={offer ? `Join ${offer.brand}` : 'You are invited'}
      description={
        offer
          ? `${offer.invitedBy ? `${offer.invitedBy} invited you` : 'You are invited'} to work in this brand as ${roleWithArticle(offer.role)}.`
          : 'The link opens a brand of your team.'
      }
      footer={footer}
    >
      {children}
    </StepCard>
  )
}

function roleWithArticle(role: string): string {
  return `${role === 'member' ? 'a' : 'an'} ${role}`
}
