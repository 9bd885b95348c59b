import { SignOutButton } from '#web/features/account/sign-out-button.tsx'
import { useLeaveWhenSignedOut } from '#web/features/account/use-leave-when-signed-out.ts'
import { CodeStep } from '#web/features/auth/code-step.tsx'
import { useNavigate } from '#web/lib/routing/use-router.ts'
import { toast } from '#web/ui/toast.ts'

/** /auth/code: the second factor, after the password. */
export function AuthCodePage() {
  const navigate = useNavigate()
  const toAuth = () => void navigate({ to: '/auth', replace: true })
  useLeaveWhenSignedOut(toAuth)
  return (
    <CodeStep
      signOut={<SignOutButton onSignedOut={toAuth} />}
      onDone={() => {
        toast.success('Welcome back!', { brief: true })
        void navigate({ to: '/select-brand', replace: true })
      }}
    />
  )
}
