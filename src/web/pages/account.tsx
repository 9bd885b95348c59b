import { useIsOffline } from '#web/data/sync/sync-status.ts'
import { SignOutButton } from '#web/features/account/sign-out-button.tsx'
import { SecurityTab } from '#web/features/account/security/security-tab.tsx'
import { useSessionEnd } from '#web/features/account/use-session-end.ts'
import { useLeaveWhenSignedOut } from '#web/features/account/use-leave-when-signed-out.ts'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { useNavigate } from '#web/lib/routing/use-router.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { BackIcon } from '#web/ui/icons.tsx'
import { Link } from '#web/ui/link.tsx'
import { NeedsConnection } from '#web/ui/needs-connection.tsx'
import { Wordmark } from '#web/ui/wordmark.tsx'

/**
 * /account: the content of the tab Security, for a person without a brand or whose brands all require a second factor that this session
 * has not proved.
 */
export function AccountPage() {
  const navigate = useNavigate()
  const toAuth = () => void navigate({ to: '/auth', replace: true })
  useDocumentTitle('Security')
  useLeaveWhenSignedOut(toAuth)
  useSessionEnd(toAuth)
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex min-h-13 flex-wrap items-center justify-between gap-x-4 px-5">
        <Wordmark />
        <SignOutButton onSignedOut={toAuth} />
      </header>
      <main className="mx-auto w-full max-w-295 flex-1 px-6 pt-6 pb-10 max-sm:px-4">
        <div className="mb-6 flex flex-wrap items-center justify-between gap-3">
          <h1 className="text-xl">Security</h1>
          <Link to="/select-brand" className={buttonClass()}>
            <BackIcon /> Back to brands
          </Link>
        </div>
        <NeedsConnection offline={useIsOffline()}>Changes to your account need a connection.</NeedsConnection>
        <div className="mt-4">
          <SecurityTab onDeleted={toAuth} />
        </div>
      </main>
    </div>
  )
}
