import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { ForgotPassword } from '#web/features/auth/forgot-password.tsx'
import { stepLinkClass } from '#web/features/auth/step-card.tsx'

/** /auth/forgot: asks for the mail that leads to a new password. */
export function AuthForgotPage() {
  const navigate = useNavigate()
  const email = useLocation({ select: ({ state }) => state.email ?? '' })
  return (
    <ForgotPassword
      email={email}
      back={
        <Link to="/auth" className={stepLinkClass}>
          Back to Sign In
        </Link>
      }
      onSent={(to) => void navigate({ to: '/auth/mail', state: { email: to, mail: 'recovery' } })}
    />
  )
}
