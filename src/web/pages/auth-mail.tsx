import { Link, Navigate, useLocation } from '@tanstack/react-router'
import { CheckMail } from '#web/features/auth/check-mail.tsx'
import { stepLinkClass } from '#web/features/auth/step-card.tsx'

/** /auth/mail: a link is on its way; who it went to is kept by the history entry, so that a reload knows it too. */
export function AuthMailPage() {
  const { email, mail } = useLocation({ select: ({ state }) => ({ email: state.email, mail: state.mail }) })
  if (!email || !mail) return <Navigate to="/auth" replace />
  const back = (
    <Link to="/auth" className={stepLinkClass}>
      Back to Sign In
    </Link>
  )
  return <CheckMail kind={mail} email={email} back={back} />
}
