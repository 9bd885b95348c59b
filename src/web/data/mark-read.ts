import { askServer } from '#web/data/server/ask-server.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { fetchNotifications } from './inbox-requests.ts'
import { inbox, shownNotifications, storeInbox } from './inbox-state.ts'

/** Marks these notifications (by default all) as read: on this device at once, for other devices when the server answers. */
export async function markRead(data: BrandData, ids?: readonly string[]): Promise<void> {
  const { state } = inbox(data)
  const unreadIds = shownNotifications(state.get())?.flatMap(({ id, read_at }) =>
    read_at || (ids && !ids.includes(id)) ? [] : [id],
  )
  if (!unreadIds?.length) return
  state.set({ ...state.get(), readHere: [...state.get().readHere, ...unreadIds] })
  await storeInbox(data)
  await fetchNotifications(data)
}

/** Marks the notification of a tapped push as read. `brandId` may be another brand than the open one. */
export async function markTapRead(data: BrandData, brandId: string, id: string): Promise<void> {
  if (brandId === data.brandId) {
    // The push can come before the list of notifications has been fetched.
    await fetchNotifications(data)
    return markRead(data, [id])
  }
  const change = { read_at: new Date(data.device.clock.now()).toISOString() }
  await askServer(
    data.device,
    (server) =>
      server
        .from('notifications')
        .update(change)
        .eq('brand_id', brandId)
        .eq('user_id', data.userId)
        .eq('id', id)
        .is('read_at', null),
    data.userId,
  )
}
