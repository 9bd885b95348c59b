import { useEffect, useRef, useState } from 'react'
import { useBrandData } from '#web/data/store/brand-data.ts'
import { showStoredUnreadCount, useUnread } from '#web/data/unread.ts'
import { useRouter } from '#web/lib/routing/use-router.ts'
import { afterStart } from '#web/lib/after-start.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { BellIcon } from '#web/ui/icons.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'

const Inbox = lazyDialog(async () => (await import('./inbox.tsx')).Inbox)

/** The bell in the header with the number of unread notifications; a click opens and closes their list. */
export function Bell() {
  const data = useBrandData()
  const count = useUnread()
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const router = useRouter()
  useEffect(() => {
    if (!data) return
    // If the stored notifications cannot be read, the number comes from the server later.
    showStoredUnreadCount(data).catch(() => {})
    return afterStart(async () => {
      const { followNotifications } = await import('./follow-notifications.ts')
      followNotifications(data, (href) => void router.open(href))
    })
  }, [data, router])
  return (
    <span className="relative flex">
      <IconButton
        ref={button}
        label={count > 0 ? `Notifications, ${count} unread` : 'Notifications'}
        icon={<BellIcon />}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      />
      {count > 0 && (
        <span
          aria-hidden
          className="num pointer-events-none absolute -top-1 left-4.5 min-w-4.5 rounded-full bg-danger-fill px-1 text-center text-11/4.5 font-medium text-white max-sm:top-1 max-sm:left-6"
        >
          {count > 99 ? '99+' : count}
        </span>
      )}
      <Inbox open={open} anchor={button} onClose={() => setOpen(false)} />
    </span>
  )
}
