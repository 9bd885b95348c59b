import type { ReactNode } from 'react'
import { Card } from '#web/ui/card.tsx'
import { keepFocusInCard } from '#web/ui/keep-focus.ts'
import { problemWords } from './problem-words.ts'

interface SecurityCardProps {
  title: string
  description: ReactNode
  /** Shown at the right of the title, for example a switch. */
  aside?: ReactNode
  children?: ReactNode
}

/** A card of the Security tab: a title with a short description, and optionally a control beside them and content. */
export function SecurityCard({ title, description, aside, children }: SecurityCardProps) {
  return (
    <Card ref={keepFocusInCard} aria-label={title} className="p-6 max-sm:p-4">
      <div className="flex items-center justify-between gap-5">
        <div className="min-w-0">
          <h2 className="text-lg">{title}</h2>
          <div className="mt-0.5 text-sm text-pretty text-ink2">{description}</div>
        </div>
        {aside}
      </div>
      {children}
    </Card>
  )
}

/** A row of a card's list: icon, two lines, actions. */
export function SecurityRow({
  icon,
  title,
  line,
  badge,
  children,
}: {
  icon: ReactNode
  title: ReactNode
  line: ReactNode
  badge?: ReactNode
  children?: ReactNode
}) {
  return (
    <li className="flex min-h-14 items-center gap-3 border-t border-line py-2">
      <span className="grid size-8 shrink-0 place-items-center rounded-control bg-active text-ink2">{icon}</span>
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="min-w-0 truncate font-medium">{title}</span>
          {badge}
        </div>
        <p className="text-xs text-ink2 max-sm:text-13">{line}</p>
      </div>
      <div className="flex shrink-0 items-center gap-1">{children}</div>
    </li>
  )
}

/** The list below a card's title. */
export function SecurityList({ children }: { children: ReactNode }) {
  return <ul className="mt-4 border-b border-line">{children}</ul>
}

/** Shown if the content of a card could not be loaded: the error, and the button 'Try again'. */
export function CardProblem({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <p className="mt-4 text-sm text-ink2">
      {problemWords(message)}{' '}
      <button
        type="button"
        className="font-medium text-accent-text underline-offset-4 hover:underline"
        onClick={onRetry}
      >
        Try again
      </button>
    </p>
  )
}
