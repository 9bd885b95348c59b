import type { Notification } from '#shared/rows.ts'
import { onTabMessage } from '#web/data/browser/tab-channel.ts'
import { reachable } from '#web/data/server/network.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { notificationsChanged } from '#web/data/sync/notifications-changed.ts'
import { isLive } from '#web/data/sync/pull-schedule.ts'
import { fetchNotifications } from './inbox-requests.ts'
import { inbox, readStored, shownNotifications, inboxListKey } from './inbox-state.ts'
import { notificationUpdates, unreadCount } from './unread.ts'

export type { Notification } from '#shared/rows.ts'

/** Time between two requests of a visible page without live events. */
const intervalMs = 30_000

/** Returns the notifications as screens show them now. Null until they are known. */
export function notificationsNow(data: BrandData): readonly Notification[] | null {
  return shownNotifications(inbox(data).state.get())
}

/**
 * Reads the stored notifications, and fetches them whenever they may have changed, until the brand is closed. Returns false, and does nothing, if
 * it was called for this brand before.
 */
export function startNotifications(data: BrandData): boolean {
  if (notificationUpdates(data).isStarted) return false
  notificationUpdates(data).isStarted = true
  const { device } = data
  const { state } = inbox(data)
  const fetchIfVisible = () => {
    if (globalThis.document?.visibilityState !== 'hidden') void fetchNotifications(data)
  }
  const timer = device.clock.setInterval(() => isLive(device).get() || fetchIfVisible(), intervalMs)
  globalThis.document?.addEventListener('visibilitychange', fetchIfVisible)
  const stops = [
    state.subscribe(() => unreadCount(device).set(shownNotifications(state.get())?.filter(isUnread).length ?? 0)),
    notificationsChanged(data).subscribe(fetchIfVisible),
    reachable(device).subscribe(() => reachable(device).get() && fetchIfVisible()),
    onTabMessage(device, (message) => {
      if (message.type === 'rows' && message.table === inboxListKey && message.brandId === data.brandId)
        void readStored(data)
    }),
  ]
  data.onClose(() => {
    for (const stop of stops) stop()
    device.clock.clearInterval(timer)
    globalThis.document?.removeEventListener('visibilitychange', fetchIfVisible)
    unreadCount(device).set(0)
  })
  void readStored(data).then(fetchIfVisible)
  return true
}

/** True if the notification has not been read on any device. */
export function isUnread({ read_at }: Notification): boolean {
  return read_at === null
}
