import { CheckMail } from '#web/features/auth/check-mail.tsx'
import { BackToSignIn } from '#web/features/auth/back-to-sign-in.tsx'
import { useShownLocation } from '#web/lib/routing/use-router.ts'

/** /auth/mail: says that an email with a link was sent. */
export function AuthMailPage() {
  const { email = '', mail = 'signup', again = false } = useShownLocation().state
  return <CheckMail kind={mail} again={again} email={email} back={<BackToSignIn />} />
}
