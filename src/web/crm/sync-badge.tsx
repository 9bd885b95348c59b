import { cx } from '#web/lib/class-names.ts'
import { AlertIcon, CheckIcon, CloudOffIcon, LockIcon, RefreshIcon } from '#web/ui/icons.tsx'

export interface SyncBadgeProps {
  state: 'saved' | 'sending' | 'offline' | 'attention' | 'sign-in'
  /** The number of changes that wait to be sent. */
  count: number
  /** Whether the server is unreachable. */
  isOffline: boolean
  onClick?: () => void
}

/**
 * Shows whether the changes of this device are on the server. A click opens the outbox. On a desktop the badge has an icon and a text, on
 * the phone only the icon, and a second one if a change needs attention while the server is unreachable.
 */
export function SyncBadge({ state, count, isOffline, onClick }: SyncBadgeProps) {
  const { icon, word, more, colour } = badgeParts(state, count, isOffline)
  return (
    <button
      type="button"
      onClick={onClick}
      aria-label={more ? `${word}, ${more}` : word}
      aria-haspopup="dialog"
      className={cx(
        'inline-flex h-8 items-center gap-2 rounded-control px-2 text-13/5 hover:bg-hover max-sm:h-11 max-sm:min-w-11 max-sm:justify-center',
        colour,
      )}
    >
      {icon}
      <span className="num max-sm:hidden">
        <span className={colour === 'text-ink2' ? undefined : 'font-medium'}>{word}</span>
        {more && <span className="ml-2 text-ink2">{more}</span>}
      </span>
    </button>
  )
}

function badgeParts(state: SyncBadgeProps['state'], count: number, isOffline: boolean) {
  if (state === 'sending') return { icon: <RefreshIcon />, word: `Sending ${count}`, more: null, colour: 'text-ink2' }
  const more = count > 0 ? `${count} waiting` : null
  if (state === 'offline') return { icon: <CloudOffIcon />, word: 'Offline', more, colour: 'text-warn' }
  if (state === 'attention')
    return {
      icon: (
        <>
          <AlertIcon />
          {isOffline && <CloudOffIcon className="text-warn sm:hidden" />}
        </>
      ),
      word: 'Needs attention',
      more: [isOffline && 'Offline', more].filter(Boolean).join(', '),
      colour: 'text-danger',
    }
  if (state === 'sign-in') return { icon: <LockIcon />, word: 'Sign in to send', more, colour: 'text-warn' }
  return { icon: <CheckIcon />, word: 'All changes saved', more: null, colour: 'text-ink2' }
}
