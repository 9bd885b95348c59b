import { useEffect, useState } from 'react'
import { useOnLine } from '#web/data/server/network.ts'
import { useSession } from '#web/data/session/session.ts'
import { AuthForm } from '#web/features/auth/auth-form.tsx'
import { BoardPicture } from '#web/features/auth/board-picture.tsx'
import type { AuthMode } from '#web/features/auth/check-credentials.ts'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { useNavigate } from '#web/lib/routing/use-router.ts'
import { Link } from '#web/ui/link.tsx'
import { NeedsConnection } from '#web/ui/needs-connection.tsx'
import { Segments, TabPanel } from '#web/ui/tabs.tsx'
import { toast } from '#web/ui/toast.ts'
import { Wordmark } from '#web/ui/wordmark.tsx'

/** /auth: sign in or sign up (spec section 2). */
export function AuthPage() {
  const [mode, setMode] = useState<AuthMode>('sign-in')
  const { session } = useSession()
  const offline = !useOnLine()
  const [email, setEmail] = useState(session?.email ?? '')
  const navigate = useNavigate()
  const changeMode = (next: AuthMode) => {
    // The toast may show why the other form was refused.
    toast.dismiss()
    setMode(next)
  }
  // The person signs in here, or in another tab. Only the tab of the sign-in asks for a second factor, because each tab that asks may send a text
  // message.
  const isSignedIn = session !== null && !session.expired
  const [hasSignedInHere, setSignedInHere] = useState(false)
  const mayContinue = isSignedIn || (hasSignedInHere && session?.needsCode === true)
  useEffect(() => {
    if (mayContinue) void navigate({ to: '/select-brand', replace: true })
  }, [mayContinue, navigate])
  useDocumentTitle(mode === 'sign-in' ? 'Sign In' : 'Sign Up')
  return (
    <div className="grid min-h-dvh lg:h-dvh lg:grid-cols-[35rem_1fr]">
      <div className="flex flex-col px-7 pt-[max(64px,env(safe-area-inset-top))] pb-10 max-sm:px-6 sm:mx-auto sm:w-full sm:max-w-104 sm:pt-10 lg:mx-0 lg:max-w-none lg:overflow-y-auto lg:border-r lg:border-line lg:px-25">
        <header>
          <Wordmark size="auth" />
        </header>
        <main className="flex flex-1 flex-col justify-center max-sm:justify-start max-sm:pt-9">
          <h1 className="text-3xl">Manage your deals, contacts, and pipeline</h1>
          {session?.expired && !session.needsCode && (
            <p className="mt-5 rounded-control bg-warn-soft px-3 py-2 text-sm text-warn">
              Your session has ended. Sign in to continue where you were. Changes that were not sent yet are kept on
              this device.
            </p>
          )}
          <NeedsConnection offline={offline}>
            {mode === 'sign-in' ? 'Signing in needs a connection.' : 'Signing up needs a connection.'}
          </NeedsConnection>
          <Segments
            id="auth"
            label="Sign in or sign up"
            className="mt-7"
            value={mode}
            onChange={changeMode}
            tabs={[
              { value: 'sign-in', label: 'Sign In' },
              { value: 'sign-up', label: 'Sign Up' },
            ]}
          />
          <TabPanel id="auth" value={mode} className="mt-6">
            <AuthForm
              key={mode}
              mode={mode}
              email={email}
              onEmail={setEmail}
              onSignedIn={() => setSignedInHere(true)}
              onMailSent={() => void navigate({ to: '/auth/mail', state: { email, mail: 'signup' } })}
              forgot={
                <Link
                  to="/auth/forgot"
                  state={{ email }}
                  className="inline-flex min-h-6 items-center self-center rounded-badge text-sm font-medium text-accent-text underline-offset-4 hover:underline max-sm:min-h-11"
                >
                  Forgot password?
                </Link>
              }
            />
          </TabPanel>
        </main>
      </div>
      <aside className="hidden lg:block" aria-label="What it looks like">
        <BoardPicture />
      </aside>
    </div>
  )
}
