import { type Device, devicePart } from '#web/data/browser/device.ts'
import type { RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { keepJoined } from './live-channel.ts'
import { observable } from '#web/lib/observable.ts'

/** Whether the server has confirmed that the user opened the active brand. Colleagues see the user only after that. */
export const hasOpened = devicePart((device) => {
  const opened = observable(false)
  opened.subscribe(() => announcePresence(device))
  return opened
})

/** What a tab announces to the other tabs in the brand, also those of colleagues: its user, and the URL path of its open record, or null. */
export interface TabPresence {
  user: string
  open: string | null
}

/** What each open tab of each person in the brand has announced. */
export const tabPresences = devicePart(() => observable<readonly TabPresence[]>([]))

const ownTab = devicePart((): { joined: RealtimeChannel | null; open: string | null } => ({ joined: null, open: null }))

/** Announces to colleagues the URL path of the record that this tab has open. Null if no record is open. */
export function announceOpenRecord(device: Device, path: string | null): void {
  if (ownTab(device).open === path) return
  ownTab(device).open = path
  announcePresence(device)
}

/**
 * Keeps this tab joined to the brand's presence channel, by which colleagues see each other, until the brand is closed. A user who was added
 * to the brand but has not opened it yet is not shown to others.
 */
export function startPresence(data: BrandData): void {
  void keepJoined(
    data,
    (socket) => channelOf(socket, data),
    (channel) => {
      ownTab(data.device).joined = channel
      if (ownTab(data.device).joined) announcePresence(data.device)
      else tabPresences(data.device).set([])
    },
  )
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

function announcePresence(device: Device): void {
  if (hasOpened(device).get()) void ownTab(device).joined?.track({ open: ownTab(device).open })
}
