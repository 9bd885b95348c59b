import { askServer } from '#web/data/server/ask-server.ts'
import { isTemporaryStatus } from '#web/data/server/temporary-status.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { listOf } from '#web/lib/read-unknown.ts'
import { inbox, isNotification, storeInbox } from './inbox-state.ts'

/** Maximum number of notifications that are fetched and stored on this device. */
const maxNotifications = 100

/**
 * Sends which notifications were read on this device, and then fetches the latest notifications. Does not fetch them if the first request must be
 * sent again later. All calls during a run together cause one more run.
 */
export function fetchNotifications(data: BrandData): Promise<void> {
  const brandInbox = inbox(data)
  brandInbox.again = brandInbox.request !== null
  brandInbox.request ??= sendAndFetch(data).finally(() => {
    brandInbox.request = null
  })
  return brandInbox.request
}

async function sendAndFetch(data: BrandData): Promise<void> {
  const brandInbox = inbox(data)
  do {
    brandInbox.again = false
    if (!(await sendRead(data))) return
    await fetchRows(data)
  } while (brandInbox.again)
}

/** Sends which notifications were read on this device. Returns false if the request must be sent again later. */
async function sendRead(data: BrandData): Promise<boolean> {
  const { state } = inbox(data)
  const { readHere } = state.get()
  if (readHere.length === 0) return true
  const change = { read_at: new Date(data.device.clock.now()).toISOString() }
  const { error, status } = await askServer(
    data.device,
    (server) =>
      server
        .from('notifications')
        .update(change)
        .or(`brand_id.eq.${data.brandId},kind.eq.added_to_brand`)
        .eq('user_id', data.userId)
        .in('id', [...readHere]),
    data.userId,
  )
  if (error && (isTemporaryStatus(status) || status === 401)) return false
  const marked = state
    .get()
    .rows?.map((row) => (readHere.includes(row.id) ? { ...row, read_at: row.read_at ?? change.read_at } : row))
  state.set({
    ...state.get(),
    rows: marked ?? null,
    readHere: state.get().readHere.filter((id) => !readHere.includes(id)),
  })
  return true
}

async function fetchRows(data: BrandData): Promise<void> {
  const { state } = inbox(data)
  const { data: found, error } = await askServer(
    data.device,
    (server) =>
      server
        .from('notifications')
        .select('*')
        // A notification that the user was added to a brand is shown in every brand.
        .or(`brand_id.eq.${data.brandId},kind.eq.added_to_brand`)
        .eq('user_id', data.userId)
        .order('created_at', { ascending: false })
        .order('id')
        .limit(maxNotifications)
        .retry(false),
    data.userId,
  )
  if (error) return state.set({ ...state.get(), failed: true })
  state.set({ ...state.get(), rows: listOf(found).filter(isNotification), failed: false })
  await storeInbox(data)
}
