import { type Device } from '#web/data/browser/device.ts'
import { devicePart } from '#web/data/browser/device.ts'
import type { RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { keepJoined } from './live-channel.ts'
import { observable } from '#web/lib/observable.ts'

/** Whether I have opened the active brand, as the server said since this page was opened: colleagues see me only then. */
export const hasOpened = devicePart((device) => {
  const opened = observable(false)
  opened.subscribe(() => tell(device))
  return opened
})

/** What a tab says of itself. */
export interface TabPresence {
  user: string
  open: string | null
}

/** What each tab of each person says of itself. */
export const tabPresences = devicePart(() => observable<readonly TabPresence[]>([]))

const here = devicePart((): { joined: RealtimeChannel | null; open: string | null } => ({ joined: null, open: null }))

/** Says which record this tab has open, by its address; null for none. */
export function tellOpenRecord(device: Device, address: string | null): void {
  if (here(device).open === address) return
  here(device).open = address
  tell(device)
}

/**
 * Joins the brand's own topic, where colleagues see each other (spec of the topic: wire facts, section 4). Until the brand is closed.
 * Somebody who was added and has not opened the brand is not shown to others.
 */
export function startPresence(data: BrandData): void {
  keepJoined(
    data,
    (socket) => channelOf(socket, data),
    (channel) => {
      here(data.device).joined = channel
      if (here(data.device).joined) tell(data.device)
      else tabPresences(data.device).set([])
    },
  ).catch(() => {
    // It is the feed's socket: live.ts has logged why there is none.
  })
}

function channelOf(socket: RealtimeClient, data: BrandData): RealtimeChannel {
  const channel = socket.channel(`brand:${data.brandId}`, {
    config: { private: true, presence: { key: data.userId, enabled: true } },
  })
  channel.on('presence', { event: 'sync' }, () => {
    const state = channel.presenceState<{ open: string | null }>()
    tabPresences(data.device).set(
      Object.entries(state).flatMap(([user, metas]) =>
        metas.map(({ open }) => ({ user, open: typeof open === 'string' ? open : null })),
      ),
    )
  })
  return channel
}

function tell(device: Device): void {
  if (hasOpened(device).get()) void here(device).joined?.track({ open: here(device).open })
}
