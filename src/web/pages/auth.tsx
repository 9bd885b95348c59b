import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { AuthForm } from '#web/features/auth/auth-form.tsx'
import { BoardPicture } from '#web/features/auth/board-picture.tsx'
import type { AuthMode } from '#web/features/auth/check-credentials.ts'
import { CheckYourMail } from '#web/features/auth/check-your-mail.tsx'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { Segments, TabPanel } from '#web/ui/tabs.tsx'
import { Wordmark } from '#web/ui/wordmark.tsx'

/** /auth: sign in or sign up (spec section 2). */
export function AuthPage() {
  const [mode, setMode] = useState<AuthMode>('sign-in')
  const [email, setEmail] = useState('')
  const [mailSent, setMailSent] = useState(false)
  const navigate = useNavigate()
  useDocumentTitle(mode === 'sign-in' ? 'Sign In' : 'Sign Up')
  return (
    <div className="grid min-h-dvh lg:h-dvh lg:grid-cols-[560px_1fr]">
      <div className="flex flex-col px-7 pt-[max(64px,env(safe-area-inset-top))] pb-10 max-sm:px-6 sm:mx-auto sm:w-full sm:max-w-[416px] sm:pt-10 lg:mx-0 lg:max-w-none lg:overflow-y-auto lg:border-r lg:border-line lg:px-25">
        <header>
          <Wordmark size="auth" />
        </header>
        <main className="flex flex-1 flex-col justify-center max-sm:justify-start max-sm:pt-9">
          <h1 className="text-3xl">Manage your deals, contacts, and pipeline</h1>
          {mailSent ? (
            <div className="mt-8">
              <CheckYourMail
                email={email}
                onBack={() => {
                  setMode('sign-in')
                  setMailSent(false)
                }}
              />
            </div>
          ) : (
            <>
              <Segments
                id="auth"
                label="Sign in or sign up"
                className="mt-7"
                value={mode}
                onChange={setMode}
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
                  onSignedIn={() => void navigate({ to: '/select-brand', replace: true })}
                  onMailSent={() => setMailSent(true)}
                />
              </TabPanel>
            </>
          )}
        </main>
      </div>
      <aside className="hidden lg:block" aria-label="What it looks like">
        <BoardPicture />
      </aside>
    </div>
  )
}
