import { useEffect } from 'react'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { useShownLocation } from '#web/lib/routing/use-router.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { markPath } from '#web/ui/mark.tsx'
import { Wordmark } from '#web/ui/wordmark.tsx'

/** The page for a path that no other page has, or whose id no record can have. Logs the path (spec section 2). */
export function NotFoundPage() {
  const { pathname } = useShownLocation()
  useDocumentTitle('Page not found')
  useEffect(() => {
    console.error('404: no such page', pathname)
  }, [pathname])
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-13 items-center px-5">
        <Wordmark />
      </header>
      <main className="flex flex-1 flex-col items-center justify-center px-6 pb-13 text-center">
        <svg width="112" height="112" viewBox="0 0 24 24" fill="none" aria-hidden="true" className="text-line2">
          <path d={markPath} stroke="currentColor" strokeWidth="0.26" strokeDasharray="0.8 0.6" />
        </svg>
        <p className="num mt-10 text-base text-ink3">404</p>
        <h1 className="mt-1 text-3xl">Oops! Page not found</h1>
        <Link to="/" className={`mt-6 ${buttonClass('primary', 'form')}`}>
          Return to Home
        </Link>
      </main>
    </div>
  )
}
