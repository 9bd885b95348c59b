import { useDevice } from '#web/data/browser/device.ts'
import { Suspense, useState } from 'react'
import { clearActiveBrand } from '#web/data/people/active-brand.ts'
import { recordFirstEntry } from '#web/data/people/first-entry.ts'
import { useSession } from '#web/data/session/session.ts'
import { BackToSignIn } from '#web/features/auth/back-to-sign-in.tsx'
import { ConfirmLink, type LinkResult } from '#web/features/auth/confirm-link.tsx'
import { LinkNextStep } from '#web/features/auth/link-next-step.tsx'
import { UnusableLink } from '#web/features/auth/unusable-link.tsx'
import { linkKindOf } from '#web/features/auth/link-words.ts'
import { stepLinkClass } from '#web/features/auth/step-card.tsx'
import { storeLink, type MailedLink } from '#web/lib/mailed-link.ts'
import { rememberUrl } from '#web/lib/remembered-url.ts'
import { useNavigate, useShownLocation } from '#web/lib/routing/use-router.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { Link } from '#web/ui/link.tsx'
import { toast } from '#web/ui/toast.ts'

const AuthInvitation = lazyComponent(async () => (await import('./auth-invitation.tsx')).AuthInvitation)

/** /auth/confirm: the target of the links in emails and of invitation links. Opening another link in the same tab resets the page. */
export function AuthConfirmPage() {
  const {
    state: { link },
    key,
  } = useShownLocation()
  if (link?.type !== 'invitation') return <Confirm key={key} link={link} />
  return (
    <Suspense fallback={null}>
      <AuthInvitation key={key} link={link} />
    </Suspense>
  )
}

function Confirm({ link }: { link: MailedLink | undefined }) {
  const device = useDevice()
  const { tokenHash = '', type, next, email = '' } = link ?? {}
  const { session } = useSession()
  const [linkResult, setLinkResult] = useState<LinkResult | null>(null)
  const navigate = useNavigate()
  const kind = linkKindOf(type)
  const otherEmail = session && !session.expired && email && session.email !== email ? session.email : null
  const backLink =
    session && !session.expired ? (
      <Link to="/select-brand" className={stepLinkClass}>
        Back
      </Link>
    ) : (
      <BackToSignIn />
    )
  const onEnd = (result: LinkResult) => {
    if (result === 'joined' || (result === 'done' && kind === 'invite')) recordFirstEntry(device)
    if (result === 'joined') {
      toast.success('Invitation accepted')
      // While a brand is open, the guard of /select-brand may lead to a remembered URL. That page would be in the former brand, not in the new one.
      return void clearActiveBrand(device).then(() => navigate({ to: '/select-brand', replace: true }))
    }
    if (result === 'known' && link && !otherEmail) storeLink(link)
    if (result !== 'done') return setLinkResult(result)
    if (next) rememberUrl(next)
    if (kind === 'recovery' || kind === 'invite') {
      return void navigate({ to: '/auth/reset', replace: true, state: { first: kind === 'invite' } })
    }
    toast.success(kind === 'signup' ? 'Email confirmed' : 'Email changed')
    void navigate({ to: '/select-brand', replace: true })
  }

  if (linkResult === 'half' || linkResult === 'known') {
    const isKnown = linkResult === 'known' && !otherEmail
    return (
      <LinkNextStep end={linkResult} email={email} other={otherEmail}>
        <Link to={isKnown ? '/auth' : '/select-brand'} className={buttonClass('default', 'sign-in')}>
          {isKnown ? 'Sign In' : 'Back to Banyan CRM'}
        </Link>
      </LinkNextStep>
    )
  }
  if (linkResult === 'expired' || !kind || !tokenHash) {
    return (
      <UnusableLink
        kind={kind}
        email={email || (session?.email ?? '')}
        back={backLink}
        onSent={(mail, to) =>
          void navigate({ to: '/auth/mail', replace: true, state: { email: to, mail, again: true } })
        }
      />
    )
  }
  return <ConfirmLink kind={kind} tokenHash={tokenHash} email={email || null} back={backLink} onEnd={onEnd} />
}
