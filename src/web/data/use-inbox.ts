import type { Notification } from '#shared/rows.ts'
import { useView } from '#web/data/query/use-view.ts'
import { sourceOfObservable, type View, view } from '#web/data/query/view.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { inbox, shownNotifications } from './inbox-state.ts'

/** The user's notifications, as components show them. */
export interface Inbox {
  /** Newest first. Null until they are known. Those that were read on this device are marked as read. */
  notifications: readonly Notification[] | null
  /** True if the last request had no answer or was refused. */
  failed: boolean
}

const noInbox: Inbox = { notifications: null, failed: false }

/** Returns the user's notifications of the active brand, from this device. */
export function useInbox(): Inbox {
  return useView(inboxView, '', noInbox)
}

function inboxView(data: BrandData): View<Inbox> {
  const { state } = inbox(data)
  return view([sourceOfObservable(state)], () => ({
    notifications: shownNotifications(state.get()),
    failed: state.get().failed,
  }))
}
