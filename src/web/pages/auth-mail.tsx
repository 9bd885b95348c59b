import { useRouteContext } from '@tanstack/react-router'
import { CheckMail } from '#web/features/auth/check-mail.tsx'
import { BackToSignIn } from '#web/features/auth/back-to-sign-in.tsx'

/** /auth/mail: a link is on its way. */
export function AuthMailPage() {
  const { email, mail } = useRouteContext({ from: '/auth/mail' })
  return <CheckMail kind={mail} email={email} back={<BackToSignIn />} />
}
