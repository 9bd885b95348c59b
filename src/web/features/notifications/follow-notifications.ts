import { startNotifications } from '#web/data/notifications.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { unread } from '#web/data/unread.ts'
import { countOf } from '#web/lib/count.ts'
import { showCount } from '#web/lib/show-count.ts'
import { announce } from '#web/ui/live-region.ts'

/** Keeps the notifications of the open brand fresh, and shows their number on the tab and on the icon of the installed app. */
export function followNotifications(data: BrandData): void {
  if (!startNotifications(data)) return
  const count = unread(data.device)
  let before = count.get()
  const follow = () => {
    const now = count.get()
    showCount(now)
    if (now > before) announce(countOf(now, 'unread notification', 'unread notifications'))
    before = now
  }
  const stop = count.subscribe(follow)
  data.onClose(() => {
    stop()
    showCount(0)
  })
}
