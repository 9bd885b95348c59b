import { useDevice } from '#web/data/browser/device.ts'
import { useEffect, useState } from 'react'
import { acceptInvitationLink, type InvitationLinkState, readInvitationLink } from '#web/data/people/invitation-link.ts'
import { readSession, type Session, useSession } from '#web/data/session/session.ts'
import { SignOutButton } from '#web/features/account/sign-out-button.tsx'
import { AuthForm } from '#web/features/auth/auth-form.tsx'
import { BackToSignIn } from '#web/features/auth/back-to-sign-in.tsx'
import { InvitationEnded } from '#web/features/auth/invitation-ended.tsx'
import { InvitationStep } from '#web/features/auth/invitation-step.tsx'
import { StepCard, stepLinkClass } from '#web/features/auth/step-card.tsx'
import { storeLink, type MailedLink } from '#web/lib/mailed-link.ts'
import { useNavigate } from '#web/lib/routing/use-router.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { RefreshIcon } from '#web/ui/icons.tsx'
import { Link } from '#web/ui/link.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.ts'

/** The page of an invitation link that a colleague handed over: the invited person signs up or signs in, and becomes a member of the brand. */
export function AuthInvitation({ link }: { link: MailedLink }) {
  const { ready, session } = useSession()
  return ready ? <Invitation link={link} session={session} /> : null
}

type InvitationView = InvitationLinkState | { state: 'loading' } | { state: 'other'; email: string }

function Invitation({ link, session }: { link: MailedLink; session: Session | null }) {
  const device = useDevice()
  const navigate = useNavigate()
  const [view, setView] = useState<InvitationView>({ state: 'loading' })
  // The email address that the person is signed in with; null if nobody is. Not read again when the session changes: the form must stay mounted
  // while it signs the person in.
  const [signedInAs, setSignedInAs] = useState(session && !session.expired ? session.email : null)
  const [pending, setPending] = useState(false)
  const { tokenHash: token } = link
  const reload = async () => setView(await readInvitationLink(device, token))
  useEffect(() => {
    void readInvitationLink(device, token).then(setView)
  }, [device, token])

  const join = useOnce(async () => {
    setPending(true)
    const result = await acceptInvitationLink(device, token)
    setPending(false)
    if (result.status === 'joined') return navigate({ to: '/crm/overview', replace: true })
    if (result.status === 'ended') return setView({ state: result.why })
    setSignedInAs((await readSession(device))?.email ?? null)
    if (result.status === 'other') return setView({ state: 'other', email: result.email })
    toast.error('The invitation was not accepted', { description: result.message })
  })
  const joinOrAskForCode = async () => {
    if (!(await readSession(device))?.needsCode) return join()
    storeLink(link)
    await navigate({ to: '/auth/code', replace: true })
  }
  const brandsLink = (
    <Link to="/select-brand" className={stepLinkClass}>
      Back to Banyan CRM
    </Link>
  )

  switch (view.state) {
    case 'loading':
      return (
        <InvitationStep offer={null}>
          <Skeleton className="h-10" />
        </InvitationStep>
      )
    case 'unreachable':
      return (
        <StepCard title="The invitation could not be read" description={view.message} footer={<BackToSignIn />}>
          <Button size="sign-in" icon={<RefreshIcon />} onClick={() => void reload()} className="w-full">
            Try again
          </Button>
        </StepCard>
      )
    case 'used':
    case 'revoked':
    case 'replaced':
    case 'expired':
    case 'unknown':
      return <InvitationEnded why={view.state} back={signedInAs === null ? <BackToSignIn /> : brandsLink} />
  }
  const offer = view.state === 'open' ? view.offer : null
  const email = view.state === 'other' ? view.email : (offer?.email ?? link.email)
  if (signedInAs !== null && signedInAs !== email) {
    return (
      <StepCard
        title="The invitation is for another email address"
        description={
          <>
            It is for <strong className="font-medium break-words text-ink">{email}</strong>, and you are signed in as{' '}
            <strong className="font-medium break-words text-ink">{signedInAs}</strong>. Sign out to go on with it, or
            ask for an invitation of your own address.
          </>
        }
        footer={
          <>
            {brandsLink}
            <span className="-mr-3 ml-auto">
              <SignOutButton
                onSignedOut={() => {
                  setSignedInAs(null)
                  void reload()
                }}
              />
            </span>
          </>
        }
      />
    )
  }
  if (signedInAs !== null) {
    return (
      <InvitationStep offer={offer} footer={brandsLink}>
        <Button variant="primary" size="sign-in" pending={pending} onClick={join} className="w-full">
          {offer ? `Join ${offer.brand}` : 'Accept the invitation'}
        </Button>
      </InvitationStep>
    )
  }
  return (
    <InvitationStep
      hasField
      offer={offer}
      footer={
        !offer && (
          <Link to="/auth" className={stepLinkClass} onClick={() => storeLink(link)}>
            I have an account already
          </Link>
        )
      }
    >
      <AuthForm
        mode={offer?.hasAccount ? 'sign-in' : 'sign-up'}
        email={email}
        invitation={offer ? token : ''}
        onSignedIn={() => void joinOrAskForCode()}
        onMailSent={() => void navigate({ to: '/auth/mail', state: { email, mail: 'signup' } })}
        forgot={
          <Link to="/auth/forgot" state={{ email }} className={`${stepLinkClass} self-center`}>
            Forgot password?
          </Link>
        }
      />
    </InvitationStep>
  )
}
