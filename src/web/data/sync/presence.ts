import type { RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { keepJoined } from './live-channel.ts'
import { observable } from '#web/lib/observable.ts'

/** Whether I have opened the active brand, as the server said since this page was opened: colleagues see me only then. */
export const hasOpened = observable(false)

/** What a tab says of itself. */
export interface TabPresence {
  user: string
  open: string | null
}

/** What each tab of each person says of itself. */
export const tabPresences = observable<readonly TabPresence[]>([])
let joined: RealtimeChannel | null = null
let openHere: string | null = null

/** Says which record this tab has open, by its address; null for none. */
export function tellOpenRecord(address: string | null): void {
  if (openHere === address) return
  openHere = address
  tell()
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
      joined = channel
      if (joined) tell()
      else tabPresences.set([])
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
    tabPresences.set(
      Object.entries(state).flatMap(([user, metas]) =>
        metas.map(({ open }) => ({ user, open: typeof open === 'string' ? open : null })),
      ),
    )
  })
  return channel
}

function tell(): void {
  if (hasOpened.get()) void joined?.track({ open: openHere })
}

hasOpened.subscribe(tell)
