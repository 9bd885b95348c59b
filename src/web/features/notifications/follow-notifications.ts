import { untilVisible } from '#web/data/browser/until-visible.ts'
import { inbox } from '#web/data/inbox-state.ts'
import { notificationsNow, startNotifications } from '#web/data/notifications.ts'
import { sendTimeZone } from '#web/data/notification-settings.ts'
import { linkPushSubscription } from '#web/data/push.ts'
import { serverNow } from '#web/data/server/network.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { unreadCount } from '#web/data/unread.ts'
import { countOf } from '#web/lib/count.ts'
import { fieldOf } from '#web/lib/read-unknown.ts'
import { showCount } from '#web/lib/show-count.ts'
import { announce } from '#web/ui/live-region.ts'
import { toast } from '#web/ui/toast.ts'

/** Maximum age of a reminder that is shown as a toast (ms). An older reminder came while the app was closed or offline; only the bell lists it. */
const freshMs = 60_000

/**
 * Keeps the notifications of the open brand up to date, and shows the number of unread ones on the tab and on the icon of the installed app.
 * A reminder is also shown as a toast. `open` is called with the path of a page, when 'Show' in such a toast is pressed or a push is tapped.
 */
export function followNotifications(data: BrandData, open: (path: string) => void): void {
  if (!startNotifications(data)) return
  const { device } = data
  const count = unreadCount(device)
  const remindedIds = new Set<string>()
  let previousCount = count.get()
  const showChanges = () => {
    const currentCount = count.get()
    showCount(currentCount)
    if (currentCount > previousCount) announce(countOf(currentCount, 'unread notification', 'unread notifications'))
    previousCount = currentCount
    for (const { id, kind, title, read_at, created_at, record_id } of notificationsNow(data) ?? []) {
      const isFresh = Date.parse(serverNow(device)) - Date.parse(created_at) < freshMs
      if (kind !== 'task_due' || read_at || !isFresh || remindedIds.has(id)) continue
      remindedIds.add(id)
      toast.news(`${title} is due`, { action: { label: 'Show', run: () => open(`/crm/tasks/${record_id}`) } })
    }
  }
  // Observes the list and not the count: once the list has the maximum number of unread notifications, it changes while the count stays the same.
  const stop = inbox(data).state.subscribe(showChanges)
  // `subscribe` reports only later changes, and the stored notifications may be counted already.
  showChanges()
  const stopTaps = followTaps(data, open)
  data.onClose(() => {
    stop()
    stopTaps()
    showCount(0)
  })
  untilVisible()
    .then(() => Promise.all([linkPushSubscription(device), sendTimeZone(device)]))
    .catch(logFailedRequest)
}

/** Listens to the service worker, which sends each tapped push. Returns the function that stops listening. */
function followTaps(data: BrandData, open: (path: string) => void): () => void {
  const worker = navigator.serviceWorker
  const onMessage = ({ data: tap }: MessageEvent) => {
    if (fieldOf(tap, 'type') !== 'open') return
    import('./open-tap.ts').then(({ openTap }) => openTap(data, tap, open)).catch(logFailedRequest)
  }
  // Without https (or localhost), browsers have no `navigator.serviceWorker`.
  worker?.addEventListener('message', onMessage)
  // A push may have been tapped before this page listened.
  worker?.controller?.postMessage({ type: 'ask-tap' })
  return () => worker?.removeEventListener('message', onMessage)
}

/** Logs a failed request, usually for lack of a connection. The next start of the app sends it again. */
function logFailedRequest(error: unknown): void {
  console.info('Notification settings were not sent.', error)
}
