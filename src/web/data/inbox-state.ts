import type { Notification } from '#shared/rows.ts'
import { postToTabs } from '#web/data/browser/tab-channel.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { localDatabase } from '#web/data/store/local-db.ts'
import { perBrand } from '#web/data/store/per-brand.ts'
import { type Observable, observable } from '#web/lib/observable.ts'
import { textOf } from '#web/lib/read-unknown.ts'

/** The key of the stored list, and the table name in its messages between tabs. */
export const inboxListKey = 'notifications'

/** The user's notifications of a brand, in the memory of this tab. */
export interface InboxState {
  /** The notifications as the server last sent them. Null until they are known. */
  rows: readonly Notification[] | null
  /** The ids of notifications that were read on this device and whose reading was not sent to the server yet. */
  readHere: readonly string[]
  /** True if the last fetch got no answer or was refused. */
  failed: boolean
}

interface Inbox {
  state: Observable<InboxState>
  request: Promise<void> | null
  /** True if one more request follows the running one. */
  again: boolean
}

/** The inbox of an open brand. */
export const inbox = perBrand(
  (): Inbox => ({
    state: observable<InboxState>({ rows: null, readHere: [], failed: false }),
    request: null,
    again: false,
  }),
)

/** Returns the notifications as screens show them: those that were read on this device are marked as read. */
export function shownNotifications({ rows, readHere }: InboxState): readonly Notification[] | null {
  return (
    rows && rows.map((row) => (readHere.includes(row.id) ? { ...row, read_at: row.read_at ?? row.created_at } : row))
  )
}

/** Reads the stored notifications into memory. */
export async function readStored(data: BrandData): Promise<void> {
  const stored = await localDatabase(data.device, data.userId)
    .getList(data.brandId, inboxListKey)
    .catch(() => undefined)
  if (stored?.inbox)
    inbox(data).state.set({
      rows: stored.inbox.notifications.filter(isNotification),
      readHere: stored.inbox.readHere,
      failed: false,
    })
}

/** Stores the notifications for an offline start, and for the other tabs. */
export async function storeInbox(data: BrandData): Promise<void> {
  const { device, userId, brandId } = data
  const { rows, readHere } = inbox(data).state.get()
  const list = {
    brand_id: brandId,
    key: inboxListKey,
    ids: [],
    total: 0,
    inbox: { notifications: rows ?? [], readHere },
  }
  try {
    await localDatabase(device, userId).putList(list)
    postToTabs(device, { type: 'rows', userId, brandId, table: inboxListKey, ids: [] })
  } catch {
    // Without the stored copy, the next start fetches the notifications again.
  }
}

/** Whether a row of an answer, or a stored row, is a notification. */
export function isNotification(row: unknown): row is Notification {
  return ['id', 'kind', 'title', 'created_at'].every((name) => textOf(row, name) !== null)
}
