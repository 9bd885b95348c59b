import type { Timer } from '#web/data/browser/surroundings.ts'
import type { RealtimeChannel, RealtimeClient, RealtimePostgresChangesPayload } from '@supabase/realtime-js'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { keepJoined } from './live-channel.ts'
import { isLive, requestPull } from './pull-schedule.ts'
import { tableNames } from '#web/data/server/tables.ts'
import type { AnyRow, TableName } from '#web/data/server/tables.ts'

/** Events come in bursts (an import, a colleague who drags): one pull for those of so many milliseconds. */
const burst = 25

/**
 * Hears every change of the open brand (spec section 7: deals and tasks; the other tables likewise). An event says "pull" and
 * nothing more (design 2.7), so a lost one loses nothing; joining again after a cut pulls once. Stops when the brand is closed.
 */
export function startLive(data: BrandData): void {
  let timer: Timer | undefined
  const pullSoon = () => {
    // A page that is hidden asks for nothing; it does as soon as it is seen again.
    if (globalThis.document?.visibilityState === 'hidden') return
    timer ??= data.device.clock.setTimeout(() => {
      timer = undefined
      void requestPull(data.device)
    }, burst)
  }
  data.onClose(() => data.device.clock.clearTimeout(timer))
  keepJoined(
    data,
    (socket) => channelOf(socket, data, pullSoon),
    (channel) => {
      isLive(data.device).set(channel !== null)
      // What happened while nobody listened.
      if (channel) pullSoon()
    },
  ).catch((error: unknown) => console.warn('Live changes are not to be had; this page asks now and then.', error))
}

function channelOf(socket: RealtimeClient, data: BrandData, pullSoon: () => void): RealtimeChannel {
  const filter = `brand_id=eq.${data.brandId}`
  const channel = socket.channel(`live:${data.brandId}`)
  for (const table of tableNames) {
    channel.on('postgres_changes', { event: '*', schema: 'public', table, filter }, (change) => {
      if (!isKnown(data, table, change)) pullSoon()
    })
  }
  const brand = { event: '*', schema: 'public', table: 'brands', filter: `id=eq.${data.brandId}` } as const
  channel.on('postgres_changes', brand, pullSoon)
  // A channel is joined before its feed begins: what happened in between is nobody's event.
  channel.on('system', {}, pullSoon)
  return channel
}

/** Whether this device has that state of the row already: mostly the echo of its own write. */
function isKnown(
  data: BrandData,
  table: TableName,
  change: RealtimePostgresChangesPayload<Record<string, unknown>>,
): boolean {
  if (change.eventType === 'DELETE') return false
  const { id, version } = change.new as Partial<AnyRow>
  if (typeof id !== 'string' || typeof version !== 'number') return false
  return (data.tables[table].onServer(id)?.version ?? 0) >= version
}
