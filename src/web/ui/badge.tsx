import type { ReactNode } from 'react'
import { cx } from '#web/lib/class-names.ts'

const badgeClasses =
  'inline-flex h-5 max-w-full shrink-0 items-center gap-1.5 rounded-badge px-2 text-xs font-medium max-sm:h-6 max-sm:text-13'

interface BadgeProps {
  /** The CSS class that sets the badge's colours: one of `tone-*` in tokens.css. */
  tone?: string
  children: ReactNode
}

/** A badge: a word on a soft fill. */
export function Badge({ tone = 'tone-neutral', children }: BadgeProps) {
  return <span className={cx(badgeClasses, tone, 'bg-tone-soft text-tone')}>{children}</span>
}

/** A badge with an outline around its word. If there is no room, a badge with an icon or avatar in front shrinks, and its word is cut. */
export function OutlineBadge({ leading, children }: { leading?: ReactNode; children: ReactNode }) {
  return (
    <span
      className={cx(
        badgeClasses,
        'text-ink2 ring-1 ring-inset ring-line2',
        leading ? 'min-w-0 shrink pl-1.5' : undefined,
      )}
    >
      {leading}
      <span className="truncate">{children}</span>
    </span>
  )
}

/** A number beside a heading, such as the number of rows below the heading. */
export function CountBadge({ count, tone = 'neutral' }: { count: number | string; tone?: 'neutral' | 'danger' }) {
  return (
    <span
      className={cx(
        'num inline-flex h-5 min-w-5 shrink-0 items-center justify-center rounded-badge px-1.5 text-xs font-medium',
        tone === 'danger' ? 'bg-danger-soft text-danger' : 'bg-active text-ink2',
      )}
    >
      {count}
    </span>
  )
}
