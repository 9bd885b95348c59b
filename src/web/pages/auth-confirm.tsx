import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '#web/data/session.ts'
import { BackToSignIn } from '#web/features/auth/back-to-sign-in.tsx'
import { ConfirmLink, type LinkEnd } from '#web/features/auth/confirm-link.tsx'
import { LinkDone } from '#web/features/auth/link-done.tsx'
import { LinkExpired } from '#web/features/auth/link-expired.tsx'
import { linkKindOf } from '#web/features/auth/link-words.ts'
import { stepLinkClass } from '#web/features/auth/step-card.tsx'
import { rememberAddress } from '#web/lib/remembered-address.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.ts'

/** /auth/confirm: where the links of our e-mails lead. */
export function AuthConfirmPage() {
  const { token_hash, type, next, email = '' } = useSearch({ from: '/auth/confirm' })
  const { session } = useSession()
  const [end, setEnd] = useState<LinkEnd | null>(null)
  const navigate = useNavigate()
  const kind = linkKindOf(type)
  const back =
    session && !session.expired ? (
      <Link to="/select-brand" className={stepLinkClass}>
        Back
      </Link>
    ) : (
      <BackToSignIn />
    )
  const onEnd = (ended: LinkEnd) => {
    if (ended !== 'done') return setEnd(ended)
    if (next) rememberAddress(next)
    if (kind === 'recovery' || kind === 'invite') {
      return void navigate({ to: '/auth/reset', replace: true, state: { first: kind === 'invite' } })
    }
    toast.success(kind === 'signup' ? 'Email confirmed' : 'Email changed')
    void navigate({ to: '/select-brand', replace: true })
  }

  if (end === 'half' || end === 'known') {
    return (
      <LinkDone end={end} email={email}>
        <Link to={end === 'half' ? '/select-brand' : '/auth'} className={buttonClass('default', 'sign-in')}>
          {end === 'half' ? 'Back to Banyan CRM' : 'Sign In'}
        </Link>
      </LinkDone>
    )
  }
  if (end === 'expired' || !kind || !token_hash) {
    return (
      <LinkExpired
        kind={kind}
        email={email || (session?.email ?? '')}
        back={back}
        onSent={(mail, to) => void navigate({ to: '/auth/mail', replace: true, state: { email: to, mail } })}
      />
    )
  }
  return <ConfirmLink kind={kind} tokenHash={token_hash} email={email || null} back={back} onEnd={onEnd} />
}
