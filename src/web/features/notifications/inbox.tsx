import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { markRead } from '#web/data/mark-read.ts'
import { isUnread } from '#web/data/notifications.ts'
import { useBrandData } from '#web/data/store/brand-data.ts'
import { useInbox } from '#web/data/use-inbox.ts'
import { useRouter } from '#web/lib/routing/use-router.ts'
import { useNarrow } from '#web/lib/use-narrow.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { useBackCloses } from '#web/ui/use-back-closes.ts'
import { useCloseFromOutside, usePopup } from '#web/ui/use-popup.ts'
import { followNotifications } from './follow-notifications.ts'
import { NotificationList } from './notification-list.tsx'
import { PushHintLine } from './push-hint.tsx'

export interface InboxProps {
  /** The bell's button. */
  anchor: RefObject<HTMLElement | null>
  onClose: () => void
}

/** The list of notifications: below the bell on a desktop, a sheet on the phone. */
export function Inbox({ anchor, onClose }: InboxProps) {
  const data = useBrandData()
  const inbox = useInbox()
  const isNarrow = useNarrow()
  const router = useRouter()
  useEffect(() => {
    if (data) followNotifications(data, (href) => void router.open(href))
  }, [data, router])
  const unreadCount = inbox.notifications?.filter(isUnread).length ?? 0
  const markAllButton = (
    <Button variant="quiet" disabled={unreadCount === 0} onClick={() => data && void markRead(data)}>
      Mark all as read
    </Button>
  )
  const list = (
    <NotificationList
      inbox={inbox}
      onOpen={({ id }) => {
        if (data) void markRead(data, [id])
        onClose()
      }}
    />
  )
  if (isNarrow)
    return (
      <Dialog open title="Notifications" onClose={onClose} footer={markAllButton}>
        <div className="-mx-3 min-h-[60dvh]">{list}</div>
        <div className="-mx-4">
          <PushHintLine onFollow={onClose} />
        </div>
      </Dialog>
    )
  return (
    <Popover anchor={anchor} onClose={onClose}>
      <div className="flex items-center justify-between border-b border-line py-2 pr-2 pl-4">
        <h2 className="text-sm font-semibold">Notifications</h2>
        {markAllButton}
      </div>
      <div className="min-h-0 overflow-y-auto p-1.5">{list}</div>
      <PushHintLine onFollow={onClose} />
    </Popover>
  )
}

function Popover({ anchor, onClose, children }: InboxProps & { children: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null)
  const close = useEffectEvent(onClose)
  usePopup(true, anchor, panel, { align: 'end' })
  useCloseFromOutside(true, [panel, anchor], onClose)
  useBackCloses(true, onClose)
  useEffect(() => {
    const element = panel.current
    element?.focus({ preventScroll: true })
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      event.preventDefault()
      event.stopPropagation()
      close()
      anchor.current?.focus({ preventScroll: true })
    }
    element?.addEventListener('keydown', closeOnEscape)
    return () => element?.removeEventListener('keydown', closeOnEscape)
  }, [anchor])
  return (
    <div
      ref={panel}
      role="dialog"
      aria-label="Notifications"
      tabIndex={-1}
      popover="manual"
      className="rise flex max-h-[min(var(--room),35rem)] w-100 flex-col overflow-hidden rounded-card bg-raised text-sm text-ink shadow-pop outline-none not-[:popover-open]:hidden"
    >
      {children}
    </div>
  )
}
