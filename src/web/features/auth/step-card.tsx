import { type ReactNode, useEffect, useRef } from 'react'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { giveFocus } from '#web/ui/focus.ts'
import { Wordmark } from '#web/ui/wordmark.tsx'

interface StepCardProps {
  icon?: ReactNode
  title: string
  description: ReactNode
  children?: ReactNode
  /** Links that leave the step, shown below a horizontal line. */
  footer?: ReactNode
  /** Whether the step has a field that gets the focus. */
  hasField?: boolean
}

/** One step of signing in: a card; on the phone the whole page. In a step without a field, the title gets the focus: screen readers then read it. */
export function StepCard({ icon, title, description, children, footer, hasField = false }: StepCardProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useDocumentTitle(title)
  useEffect(() => {
    if (!hasField) giveFocus(heading.current)
  }, [hasField])
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="px-10 pt-9 max-sm:px-6 max-sm:pt-[max(32px,env(safe-area-inset-top))]">
        <Wordmark size="auth" />
      </header>
      <main className="flex flex-1 flex-col items-center justify-center px-6 pt-8 pb-24 max-sm:justify-start max-sm:pb-8">
        <div className="flex w-full max-w-109.5 flex-col sm:min-h-93 sm:rounded-dialog sm:bg-surface sm:p-8 sm:shadow-pop">
          {icon && <span className="mb-5 flex">{icon}</span>}
          <h1 ref={heading} tabIndex={-1} className="text-xl outline-none">
            {title}
          </h1>
          <div className="mt-1 text-14/5 text-pretty text-ink2 max-sm:text-15/6">{description}</div>
          <div className="mt-6 flex flex-col gap-5">{children}</div>
          {footer && (
            <footer className="mt-auto pt-8">
              <div className="flex flex-wrap items-center gap-x-5 gap-y-1 border-t border-line pt-5">{footer}</div>
            </footer>
          )}
        </div>
      </main>
    </div>
  )
}

/** CSS classes of a link that leaves a step: text in the accent colour that does not look like a button. */
export const stepLinkClass =
  'inline-flex min-h-6 items-center rounded-badge text-sm font-medium text-accent-text underline-offset-4 hover:underline max-sm:min-h-11'
