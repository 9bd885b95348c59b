import { devicePart, useDevice } from '#web/data/browser/device.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import { localDatabase } from '#web/data/store/local-db.ts'
import { perBrand } from '#web/data/store/per-brand.ts'
import { observable, useObservable } from '#web/lib/observable.ts'
import { fieldOf, textOf } from '#web/lib/read-unknown.ts'

/** The number of the user's unread notifications of the active brand. 0 until it is known. */
export const unreadCount = devicePart(() => observable(0))

/** Whether `startNotifications` was called for a brand. From then on, `startNotifications` keeps `unreadCount` up to date. */
export const notificationUpdates = perBrand(() => ({ isStarted: false }))

/** `unreadCount` for components. */
export function useUnread(): number {
  return useObservable(unreadCount(useDevice()))
}

/** Sets `unreadCount` to the number of stored unread notifications, unless `startNotifications` already keeps `unreadCount` up to date. */
export async function showStoredUnreadCount(data: BrandData): Promise<void> {
  const { device, userId, brandId } = data
  const list = await localDatabase(device, userId).getList(brandId, 'notifications')
  if (!list?.inbox || openBrand(device).get() !== data || notificationUpdates(data).isStarted) return
  const { notifications, readHere } = list.inbox
  const isUnread = (row: unknown) => fieldOf(row, 'read_at') === null && !readHere.includes(textOf(row, 'id') ?? '')
  unreadCount(device).set(notifications.filter(isUnread).length)
  data.onClose(() => unreadCount(device).set(0))
}
