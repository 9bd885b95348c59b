import type { Timer } from '#web/data/browser/surroundings.ts'
import type { RealtimeChannel, RealtimeClient, RealtimePostgresChangesPayload } from '@supabase/realtime-js'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { keepJoined } from './live-channel.ts'
import { notificationsChanged } from './notifications-changed.ts'
import { isLive, requestPull } from './pull-schedule.ts'
import { tableNames } from '#web/data/server/tables.ts'
import type { TableName } from '#web/data/server/tables.ts'
import { numberOf, textOf } from '#web/lib/read-unknown.ts'

/**
 * All events within this time (ms) cause one pull. Events come in bursts, for example from an import or from a colleague who drags a card.
 */
const burstMs = 25

/**
 * Subscribes to every change of the open brand (spec section 7 names deals and tasks; this function includes the other tables). An event only causes
 * a pull of the rows or a request of the notifications, so a lost event loses no data. Also pulls after each join. Stops when the brand is closed.
 */
export function startLive(data: BrandData): void {
  let timer: Timer | undefined
  const pullSoon = () => {
    // A hidden page sends no requests. It pulls when it becomes visible.
    if (globalThis.document?.visibilityState === 'hidden') return
    timer ??= data.device.clock.setTimeout(() => {
      timer = undefined
      void requestPull(data.device)
    }, burstMs)
  }
  data.onClose(() => data.device.clock.clearTimeout(timer))
  void keepJoined(
    data,
    (socket) => channelOf(socket, data, pullSoon),
    (channel) => {
      isLive(data.device).set(channel !== null)
      // The pull fetches the changes that were made before the channel was joined.
      if (channel) pullSoon()
    },
  )
}

function channelOf(socket: RealtimeClient, data: BrandData, pullSoon: () => void): RealtimeChannel {
  const filter = `brand_id=eq.${data.brandId}`
  const channel = socket.channel(`live:${data.brandId}`)
  for (const table of tableNames) {
    channel.on('postgres_changes', { event: '*', schema: 'public', table, filter }, (change) => {
      if (!isKnown(data, table, change)) pullSoon()
    })
  }
  const brandFilter = { event: '*', schema: 'public', table: 'brands', filter: `id=eq.${data.brandId}` } as const
  channel.on('postgres_changes', brandFilter, pullSoon)
  // Notifications are read separately: a pull returns a brand's rows, and notifications belong to one person.
  const notificationFilter = {
    event: '*',
    schema: 'public',
    table: 'notifications',
    filter: `user_id=eq.${data.userId}`,
  } as const
  channel.on('postgres_changes', notificationFilter, () => notificationsChanged(data).emit())
  // The server begins to send events only some time after the join, and announces it by a system message. Changes in between have no event,
  // so this message causes a pull too.
  channel.on('system', {}, () => {
    pullSoon()
    notificationsChanged(data).emit()
  })
  return channel
}

/** True if this device already has this version of the row or a newer one. Usually it has written the row itself. */
function isKnown(
  data: BrandData,
  table: TableName,
  change: RealtimePostgresChangesPayload<Record<string, unknown>>,
): boolean {
  if (change.eventType === 'DELETE') return false
  const id = textOf(change.new, 'id')
  const version = numberOf(change.new, 'version')
  if (id === null || version === null) return false
  return (data.tables[table].serverRow(id)?.version ?? 0) >= version
}
