import type { ReactNode } from 'react'
import { MailIcon } from '#web/ui/icons.tsx'
import { StepCard } from './step-card.tsx'

/** A link that did its part, but not all of what it was for. */
export function LinkDone({ end, email, children }: { end: 'half' | 'known'; email: string; children: ReactNode }) {
  return (
    <StepCard
      icon={<MailIcon className="size-7 text-accent-text" strokeWidth={1.5} />}
      title={end === 'half' ? 'One of two done' : 'You have an account already'}
      description={
        end === 'half'
          ? 'Now open the link that we sent to the other address. Until then the old one stays.'
          : `Sign in${email ? ` as ${email}` : ''}, and the invitation is accepted.`
      }
    >
      {children}
    </StepCard>
  )
}
