import { BackToSignIn } from '#web/features/auth/back-to-sign-in.tsx'
import { ForgotPassword } from '#web/features/auth/forgot-password.tsx'
import { useNavigate, useShownLocation } from '#web/lib/routing/use-router.ts'

/** /auth/forgot: requests the email with a link to set a new password. */
export function AuthForgotPage() {
  const navigate = useNavigate()
  const { email = '' } = useShownLocation().state
  return (
    <ForgotPassword
      email={email}
      back={<BackToSignIn />}
      onSent={(to) => void navigate({ to: '/auth/mail', state: { email: to, mail: 'recovery' } })}
    />
  )
}
