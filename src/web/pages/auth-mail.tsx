import { useRouteContext } from '@tanstack/react-router'
import { CheckMail } from '#web/features/auth/check-mail.tsx'
import { BackToSignIn } from '#web/features/auth/back-to-sign-in.tsx'

/** /auth/mail: says that an e-mail with a link was sent. */
export function AuthMailPage() {
  const { email, mail } = useRouteContext({ from: '/auth/mail' })
  return <CheckMail kind={mail} email={email} back={<BackToSignIn />} />
}
