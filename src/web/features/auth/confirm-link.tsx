import { useDevice } from '#web/data/browser/device.ts'
import { type ReactNode, useState } from 'react'
import { type LinkKind, redeemLink } from '#web/data/session/mail-links.ts'
import { useSession } from '#web/data/session/session.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { MailIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/toast.ts'
import { linkWords } from './link-words.ts'
import { StepCard } from './step-card.tsx'

/**
 * The result of using a link. `half`: one of the two links for a change of the email address was opened. `joined`: the signed-in person has
 * accepted the invitation. `known`: the invited person has an account and is not signed in with it.
 */
export type LinkResult = 'done' | 'joined' | 'half' | 'expired' | 'known'

interface ConfirmLinkProps {
  kind: LinkKind
  tokenHash: string
  /** The email address of the account that the link belongs to; null if the link does not contain it. */
  email: string | null
  back: ReactNode
  onEnd: (result: LinkResult) => void
}

/** The page of a link in an email. Only a click on the button uses the link, so that programs that merely open links do not use it up. */
export function ConfirmLink({ kind, tokenHash, email, back, onEnd }: ConfirmLinkProps) {
  const device = useDevice()
  const { session } = useSession()
  const [pending, setPending] = useState(false)
  const { title, description, button } = linkWords[kind]
  // Some links that change an email address do not name their account. Usually it is the account of the signed-in person.
  const isOwnLink = session === null || session.email === email || (kind === 'email_change' && email === null)
  const otherEmail = isOwnLink ? null : session.email
  const hasAccount = kind === 'invite' && session !== null && session.email === email
  const redeem = useOnce(async () => {
    setPending(true)
    const outcome = await redeemLink(device, tokenHash, kind)
    setPending(false)
    if (outcome.ok) return onEnd(outcome.joined ? 'joined' : outcome.half ? 'half' : 'done')
    if (outcome.code === 'otp_expired' || outcome.code === 'validation_failed') return onEnd('expired')
    if (outcome.code === 'user_already_exists') return onEnd('known')
    toast.error(outcome.message)
  })
  return (
    <StepCard
      icon={<MailIcon className="size-7 text-accent-text" strokeWidth={1.5} />}
      title={title}
      description={
        <>
          {hasAccount ? 'Accept the invitation to work in its brand.' : description}
          {email && (
            <>
              {' '}
              It is for <strong className="font-medium break-words text-ink">{email}</strong>.
            </>
          )}
          {otherEmail && (
            <span className="mt-2 block text-warn">
              You are signed in as {otherEmail} in this browser. Going on signs that account out here
              {email ? '.' : ' if the link is for another.'}
            </span>
          )}
        </>
      }
      footer={back}
    >
      <Button variant="primary" size="sign-in" pending={pending} onClick={redeem} className="w-full">
        {button}
      </Button>
    </StepCard>
  )
}
