import { useSession } from '#web/data/session/session.ts'
import { SignOutButton } from '#web/features/account/sign-out-button.tsx'
import { useLeaveWhenSignedOut } from '#web/features/account/use-leave-when-signed-out.ts'
import { CodeStep } from '#web/features/auth/code-step.tsx'
import { NewPassword } from '#web/features/auth/new-password.tsx'
import { useNavigate, useShownLocation } from '#web/lib/routing/use-router.ts'

/** /auth/reset: sets a new password after an email link has signed the person in. Asks for a missing second factor first. */
export function AuthResetPage() {
  const { session } = useSession()
  const navigate = useNavigate()
  const { first = false } = useShownLocation().state
  const toAuth = () => void navigate({ to: '/auth', replace: true })
  useLeaveWhenSignedOut(toAuth)
  const signOut = <SignOutButton onSignedOut={toAuth} />
  if (!session) return null
  if (session.needsCode) return <CodeStep onDone={() => {}} signOut={signOut} />
  return (
    <NewPassword
      email={session.email}
      first={first}
      footer={<span className="-mr-3 ml-auto">{signOut}</span>}
      onDone={() => void navigate({ to: '/select-brand', replace: true })}
    />
  )
}
