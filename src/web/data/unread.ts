import { devicePart, useDevice } from '#web/data/browser/device.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import { localDatabase } from '#web/data/store/local-db.ts'
import { perBrand } from '#web/data/store/per-brand.ts'
import { observable, useObservable } from '#web/lib/observable.ts'
import { fieldOf, textOf } from '#web/lib/read-unknown.ts'

/** The number of the user's unread notifications of the active brand. 0 until it is known. */
export const unread = devicePart(() => observable(0))

/** Whether `startNotifications` was called for a brand. From then on, it keeps `unread` up to date. */
export const notificationUpdates = perBrand(() => ({ isStarted: false }))

/** `unread` for components. */
export function useUnread(): number {
  return useObservable(unread(useDevice()))
}

/** Counts the stored unread notifications, until `startNotifications` does it. */
export async function countStored(data: BrandData): Promise<void> {
  const { device, userId, brandId } = data
  const list = await localDatabase(device, userId).getList(brandId, 'notifications')
  if (!list?.inbox || openBrand(device).get() !== data || notificationUpdates(data).isStarted) return
  const { notifications, readHere } = list.inbox
  const isUnread = (row: unknown) => fieldOf(row, 'read_at') === null && !readHere.includes(textOf(row, 'id') ?? '')
  unread(device).set(notifications.filter(isUnread).length)
  data.onClose(() => unread(device).set(0))
}
