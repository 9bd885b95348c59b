import type { Timer } from '#web/data/browser/surroundings.ts'
import type { RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { liveSocket } from './live-socket.ts'
import { untilVisible } from '#web/data/browser/until-visible.ts'

/** Before a channel that the server closed is joined anew: the first time, the second, … Milliseconds. */
const waits = [500, 2_000, 5_000, 10_000]
const longestWait = 30_000

/** A channel that was joined for less than this, in milliseconds, counts as refused: the next wait is longer. */
const lasting = 10_000

/**
 * Keeps a channel of the tab's socket joined until the brand is closed. `make` makes it with its bindings, `tell` hears the channel
 * whenever it is joined, null when it is not. The official client joins again after a cut by itself; what the server closes (a token
 * that ran out while the page was hidden) it gives up for good, so that it is made anew here. Rejects where no socket is to be had.
 */
export async function keepJoined(
  data: BrandData,
  make: (socket: RealtimeClient) => RealtimeChannel,
  tell: (channel: RealtimeChannel | null) => void,
): Promise<void> {
  if (!data.device.WebSocket) return
  let isClosed = false
  data.onClose(() => {
    isClosed = true
  })
  const socket = await liveSocket(data.device)
  let timer: Timer | undefined
  let channel: RealtimeChannel | null = null
  let tries = 0
  let joinedAt = Number.NaN
  const join = () => {
    if (isClosed) return
    const made = make(socket)
    channel = made
    made.subscribe((status: string) => {
      if (isClosed || channel !== made) return
      tell(status === 'SUBSCRIBED' ? made : null)
      if (status === 'SUBSCRIBED') joinedAt = data.device.clock.now()
      if (status !== 'CLOSED') return
      channel = null
      if (data.device.clock.now() - joinedAt > lasting) tries = 0
      timer = data.device.clock.setTimeout(() => void untilVisible().then(join), waits[tries] ?? longestWait)
      tries += 1
    })
  }
  join()
  data.onClose(() => {
    data.device.clock.clearTimeout(timer)
    tell(null)
    if (channel) void socket.removeChannel(channel)
  })
}
