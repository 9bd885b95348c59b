import { devicePart, useDevice } from '#web/data/browser/device.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import { localDatabase } from '#web/data/store/local-db.ts'
import { perBrand } from '#web/data/store/per-brand.ts'
import { observable, useObservable } from '#web/lib/observable.ts'
import { fieldOf, textOf } from '#web/lib/read-unknown.ts'

/** How many of the user's notifications of the active brand are unread; 0 until that is known. */
export const unread = devicePart(() => observable(0))

/** Whether the notifications of a brand are followed (`startNotifications`), which counts them from then on. */
export const following = perBrand(() => ({ isStarted: false }))

/** `unread` for components. */
export function useUnread(): number {
  return useObservable(unread(useDevice()))
}

/** Counts the notifications that this device has stored, until they are followed. */
export async function countStored(data: BrandData): Promise<void> {
  const { device, userId, brandId } = data
  const list = await localDatabase(device, userId).getList(brandId, 'notifications')
  if (!list?.inbox || openBrand(device).get() !== data || following(data).isStarted) return
  const { notifications, readHere } = list.inbox
  const isUnread = (row: unknown) => fieldOf(row, 'read_at') === null && !readHere.includes(textOf(row, 'id') ?? '')
  unread(device).set(notifications.filter(isUnread).length)
  data.onClose(() => unread(device).set(0))
}
