import { useDevice } from '#web/data/browser/device.ts'
import { type ReactNode, useState } from 'react'
import { requestPasswordReset, type LinkKind, sendLinkAgain } from '#web/data/session/mail-links.ts'
import { LinkOffIcon } from '#web/ui/icons.tsx'
import { EmailForm } from './email-form.tsx'
import { StepCard } from './step-card.tsx'

interface UnusableLinkProps {
  kind: LinkKind | null
  /** The email address that the link belonged to; '' if unknown. */
  email: string
  back: ReactNode
  onSent: (kind: 'signup' | 'recovery', email: string) => void
}

const validityWords = {
  signup: 'one day',
  recovery: 'one hour',
  email_change: 'one day',
  invite: 'seven days',
} as const

/**
 * Shown for a link that was used, has expired or is invalid. Has a form that sends a new link, except for an invitation or an unknown kind
 * of link.
 */
export function UnusableLink({ kind, email, back, onSent }: UnusableLinkProps) {
  const device = useDevice()
  const [areNewLinksSent, setNewLinksSent] = useState(false)
  const reason = kind
    ? `A link works once, within ${validityWords[kind]}.`
    : 'The link is not complete. Copy the whole address.'
  const advice =
    kind === 'invite'
      ? 'Ask whoever invited you to send it again.'
      : kind === 'email_change'
        ? areNewLinksSent
          ? 'If this address is the present one and a change is waiting, new links are on their way. Otherwise the change was completed or cancelled.'
          : 'We can send both again: enter the address that you sign in with.'
        : kind && 'We can send another to the same address.'
  return (
    <StepCard
      icon={<LinkOffIcon className="size-7 text-warn" strokeWidth={1.5} />}
      title={kind ? 'This link no longer works' : 'This link does not work'}
      description={`${reason} ${advice ?? ''}`.trim()}
      footer={back}
    >
      {kind === 'email_change' && !areNewLinksSent && (
        <EmailForm
          email={email}
          button="Send new links"
          send={(to) => sendLinkAgain(device, 'email_change', to)}
          onSent={() => setNewLinksSent(true)}
        />
      )}
      {(kind === 'signup' || kind === 'recovery') && (
        <EmailForm
          email={email}
          button="Send a new link"
          send={(to) => (kind === 'signup' ? sendLinkAgain(device, kind, to) : requestPasswordReset(device, to))}
          onSent={(to) => onSent(kind, to)}
        />
      )}
    </StepCard>
  )
}
