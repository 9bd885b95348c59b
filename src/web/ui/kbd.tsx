import type { ReactNode } from 'react'
import { cx } from '#web/lib/class-names.ts'

/** Shows a key of the keyboard, on a surface of the kind `on`. Screen readers skip it, so also set aria-keyshortcuts. */
export function Kbd({ children, on = 'surface' }: { children: ReactNode; on?: 'surface' | 'accent' | 'toast' }) {
  return (
    <kbd
      aria-hidden="true"
      className={cx(
        'inline-flex h-5 min-w-5 items-center justify-center rounded-key px-1 font-sans text-xs font-medium',
        on === 'surface' && 'bg-surface text-ink2 ring-1 ring-inset ring-line2',
        on === 'accent' && 'bg-current/15',
        on === 'toast' && 'bg-white/15 text-toast-ink',
      )}
    >
      {children}
    </kbd>
  )
}
