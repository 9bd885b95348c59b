import type { ReactNode } from 'react'
import { MailIcon } from '#web/ui/icons.tsx'
import { StepCard } from './step-card.tsx'

interface LinkNextStepProps {
  end: 'half' | 'known'
  /** The email address that the link belongs to; '' if the link does not contain it. */
  email: string
  /** The email address of another account that is signed in in this browser, or null. */
  other: string | null
  children: ReactNode
}

/** Shown after a link that needs another step: the other link of a change of the email address, or signing in to accept an invitation. */
export function LinkNextStep({ end, email, other, children }: LinkNextStepProps) {
  return (
    <StepCard
      icon={<MailIcon className="size-7 text-accent-text" strokeWidth={1.5} />}
      title={end === 'half' ? 'One of two links confirmed' : 'You have an account already'}
      description={
        end === 'half'
          ? 'Now open the link in the email to the other address. Until then the old one stays.'
          : other
            ? `You are signed in as ${other}. Sign out, sign in as ${email}, and open the link again.`
            : `Sign in${email ? ` as ${email}` : ''}, and accept the invitation then.`
      }
    >
      {children}
    </StepCard>
  )
}
