import type { ReactNode } from 'react'
import type { LinkOffer } from '#web/data/people/invitation-link.ts'
import { MailIcon } from '#web/ui/icons.tsx'
import { StepCard } from './step-card.tsx'

interface InvitationStepProps {
  /** Null: the server does not say it before somebody has signed in. */
  offer: LinkOffer | null
  /** The step has a field that takes the focus. */
  hasField?: boolean
  children: ReactNode
  footer?: ReactNode
}

/** What an invitation link offers: the brand, the role, who invited. */
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
